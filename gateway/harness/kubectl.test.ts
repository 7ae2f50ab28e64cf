import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder, temporaryFolder } from './folders.mjs';
import { Kubectl } from './kubectl.mjs';

const path = process.env.PATH;
const folder = temporaryFolder();

/** A stand-in: `wait` takes a minute, `list` prints 1.6 MB of JSON, and everything else prints its arguments. */
beforeAll(() => {
  const file = join(folder, 'kubectl');
  writeFileSync(
    file,
    `#!/bin/sh
case $1 in
  wait) exec sleep 60 ;;
  list) exec "${process.execPath}" -e 'console.log(JSON.stringify(Array(40_000).fill("x".repeat(30)), null, 2))' ;;
  *) echo "$@" ;;
esac`,
  );
  chmodSync(file, 0o755);
  process.env.PATH = `${folder}:${path}`;
});

afterAll(() => {
  process.env.PATH = path;
  removeFolder(folder);
});

const within = (kubectl: Kubectl, act: () => Promise<unknown>) =>
  kubectl.within(300, async () => {
    await act();
  });

test('a list of more than a megabyte is read in full', async () => {
  expect(await new Kubectl(undefined).json(['list'])).toHaveLength(40_000);
});

test('when the time of a scenario is up, its call ends, and it can change nothing more', async () => {
  const kubectl = new Kubectl(undefined);
  const refused: unknown[] = [];
  const act = async () => {
    await kubectl.run(['wait']).catch((error) => refused.push(error));
    await kubectl.run(['scale']).catch((error) => refused.push(error));
    expect(await kubectl.uninterrupted.run(['delete'])).toBe('delete\n');
  };
  await expect(within(kubectl, act)).rejects.toThrow('It took longer than 0.005 minutes.');
  expect(refused.map(String)).toEqual(Array(2).fill('Error: It took longer than 0.005 minutes.'));
  expect(await kubectl.run(['get'])).toBe('get\n');
});

test('an error of a scenario that ends in time is its own', async () => {
  const fail = async () => {
    throw new Error('no pod');
  };
  await expect(within(new Kubectl(undefined), fail)).rejects.toThrow('no pod');
});

test('an interruption ends a running call, and signals no process that ended before', async () => {
  const controller = new AbortController();
  const kubectl = new Kubectl('kind', controller.signal);
  expect(await kubectl.run(['get'])).toBe('--context kind get\n');
  const kill = jest.spyOn(process, 'kill');
  kill.mockClear();
  controller.abort(new Error('Stopped by SIGINT.'));
  expect(kill).not.toHaveBeenCalled();
  kill.mockRestore();
  await expect(kubectl.run(['get'])).rejects.toThrow('Stopped by SIGINT.');

  const other = new AbortController();
  const running = new Kubectl(undefined, other.signal).run(['wait']);
  other.abort(new Error('Stopped by SIGTERM.'));
  await expect(running).rejects.toThrow('Stopped by SIGTERM.');
});
