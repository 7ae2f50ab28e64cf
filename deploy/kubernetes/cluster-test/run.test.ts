import type { Kubectl } from '../../../gateway/harness/kubectl.mjs';
import { readOptions } from './installation/options.mjs';
import { Run } from './run.mjs';
import { type Scenario, Skip } from './scenarios/scenario.mjs';

/** A run on a stand-in for kubectl, which finds no objects. `broken` commands fail. */
function startRun(args: string[] = []) {
  const broken = new Set<string>();
  const commands: string[] = [];
  const run = async ([command = '']: string[]) => {
    commands.push(command);
    if (broken.has(command)) throw new Error(`${command} failed`);
    return '';
  };
  const kubectl = {
    within: async (_: number, act: () => Promise<void>) => act(),
    attempt: async ([command = '']: string[]) => ({
      code: broken.has(command) ? 1 : 0,
      stdout: '',
      stderr: 'Forbidden',
    }),
    run,
    apply: async () => run(['apply']),
  };
  const controller = new AbortController();
  const lines: string[] = [];
  const test = new Run({
    kubectl: kubectl as unknown as Kubectl,
    options: readOptions(args),
    abort: controller.signal,
    images: [],
    print: (line: string) => lines.push(line),
  });
  return { run: test, broken, commands, controller, lines };
}

const calm: Scenario = { name: 'calm', about: '', withoutLoad: true, run: async () => {} };
const fail = async (): Promise<never> => {
  throw new Error('no pod');
};

test('a run whose installation fails has a failed row that says why', async () => {
  const { run, broken } = startRun();
  broken.add('create');
  await expect(run.install()).rejects.toThrow('Forbidden');
  expect(run.rows).toMatchObject([{ scenario: 'first-request', outcome: 'failed' }]);
  expect(run.rows[0]?.faults[0]).toMatch(/cannot be created: Forbidden$/);
});

test.each([
  ['in a scenario', { run: fail }],
  ['outside of it', { reasonToSkip: fail }],
])(
  'an error %s is a failed row, and the next scenario begins with what the manifests say',
  async (_, more) => {
    const { run, commands } = startRun();
    await run.play({ ...calm, name: 'broken', ...more });
    expect(commands).toEqual(['kustomize', 'apply']);
    await run.play(calm);
    expect(run.rows).toMatchObject([
      { scenario: 'broken', outcome: 'failed', faults: ['no pod'] },
      { scenario: 'calm', outcome: 'passed' },
    ]);
  },
);

test('the run ends with all rows if an installation cannot be repaired', async () => {
  const { run, broken } = startRun();
  await run.play(calm);
  broken.add('apply');
  await expect(run.play({ ...calm, name: 'broken', run: fail })).rejects.toThrow('apply failed');
  expect(run.rows).toMatchObject([
    { scenario: 'calm', outcome: 'passed' },
    { scenario: 'broken', outcome: 'failed', faults: ['no pod', 'apply failed'] },
  ]);
});

test('an interruption ends the run without any repair', async () => {
  const { run, commands, controller } = startRun();
  const interrupted = async () => {
    controller.abort(new Error('Stopped by SIGINT.'));
    await fail();
  };
  await expect(run.play({ ...calm, run: interrupted })).rejects.toThrow('Stopped by SIGINT.');
  expect(run.rows).toMatchObject([{ scenario: 'calm', outcome: 'failed', faults: ['Stopped by SIGINT.'] }]);
  expect(commands).toEqual([]);
});

test.each<[string, Partial<Scenario>]>([
  ['before it runs', { reasonToSkip: async () => 'one node' }],
  [
    'while it runs',
    {
      run: async () => {
        throw new Skip('one node');
      },
    },
  ],
])('a scenario that is skipped %s fails if it is required', async (_, more) => {
  const { run } = startRun();
  await run.play({ ...calm, name: 'drain', ...more });
  expect(run.rows).toMatchObject([{ outcome: 'skipped', notes: ['one node'] }]);
  const other = startRun(['--require', 'drain']);
  await other.run.play({ ...calm, name: 'drain', ...more });
  expect(other.run.rows).toMatchObject([
    { outcome: 'failed', faults: ['it is required, and was skipped: one node'] },
  ]);
});
