import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from './journal';
import type { LateCommit } from './metering-store';

const commit = (operation: string): LateCommit => ({
  accountId: 'acc_1',
  operation,
  operations: 1,
  reservation: {
    index: 0,
    product: 'faceDetection',
    group: 'imageAnalysis',
    mode: 'live',
    keyId: 'key_1',
    month: '2026-02',
    day: 1,
  },
  reserved: true,
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Replays up to the first commit for which `fails` is true. @returns the commits that arrived, and the error */
async function replayed(journal: Journal, fails: (operation: string) => boolean = () => false) {
  const arrived: [sequence: number, operation: string][] = [];
  const outcome = await journal
    .replay(async (_name, sequence, late) => {
      if (fails(late.operation)) throw new Error('away');
      arrived.push([sequence, late.operation]);
      return true;
    })
    .catch((error: Error) => error.message);
  return { arrived, outcome };
}

test('nothing is written before there is something to write', () => {
  const journal = new Journal(join(folder, 'none'));
  expect(journal.pendingBytes).toBe(0);
  expect(readdirSync(folder)).toEqual([]);
});

test('a replay removes its entries; entries that arrive meanwhile wait for the next replay', async () => {
  const journal = new Journal(folder);
  journal.append(commit('a'));
  journal.append(commit('b'));
  const during = journal.replay(async (_name, _sequence, { operation }) => {
    if (operation === 'b') journal.append(commit('c'));
    return true;
  });
  await during;
  expect((await replayed(journal)).arrived).toEqual([[0, 'c']]);
  expect(journal.pendingBytes).toBe(0);
});

test('a replay that stops keeps everything, under the same numbers', async () => {
  const journal = new Journal(folder);
  for (const operation of ['a', 'b', 'c']) journal.append(commit(operation));
  expect(await replayed(journal, (operation) => operation === 'c')).toEqual({
    arrived: [
      [0, 'a'],
      [1, 'b'],
    ],
    outcome: 'away',
  });
  expect((await replayed(journal)).arrived.map(([sequence]) => sequence)).toEqual([0, 1, 2]);
});

test('a line that was cut off while it was written is passed over', async () => {
  const journal = new Journal(folder);
  journal.append(commit('a'));
  journal.close();
  appendFileSync(join(folder, readdirSync(folder)[0] as string), '{"accountId":"acc_');
  expect(await replayed(new Journal(folder))).toEqual({ arrived: [[0, 'a']], outcome: undefined });
});

test('it is bounded, also by what an earlier process left, and has room again once it is replayed', async () => {
  const large = { ...commit('a'), accountId: 'x'.repeat(2 ** 20) };
  const first = new Journal(folder);
  while (first.hasRoom()) first.append(large);
  first.close();
  const second = new Journal(folder);
  expect(second.hasRoom()).toBe(false);
  await replayed(second);
  expect(second.hasRoom()).toBe(true);
});

test('entries that can never be counted are set aside and do not hold up the rest', async () => {
  const journal = new Journal(folder);
  for (const operation of ['a', 'b', 'c']) journal.append(commit(operation));
  await journal.replay(async (_name, _sequence, { operation }) => operation !== 'b');
  expect(journal.pendingBytes).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, 'rejected'), 'utf8')).operation).toBe('b');
});

test('a damaged line is kept aside, and those behind it are counted', async () => {
  const journal = new Journal(folder);
  journal.append(commit('a'));
  journal.append(commit('b'));
  journal.close();
  const path = join(folder, readdirSync(folder)[0] as string);
  const [first, second] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${first}\n{"half a line${first}\n${second}\n`);
  expect((await replayed(new Journal(folder))).arrived.map(([, operation]) => operation)).toEqual(['a', 'b']);
  expect(readFileSync(join(folder, 'rejected'), 'utf8')).toContain('half a line');
});

test('an outage has one file, however often it is tried to count it', async () => {
  const journal = new Journal(folder);
  for (let i = 0; i < 5; i++) {
    journal.append(commit(String(i)));
    await replayed(journal, () => true);
  }
  expect(readdirSync(folder)).toHaveLength(1);
  expect((await replayed(journal)).arrived).toHaveLength(5);
});

test('it reports how many commits wait and since when, also those that an earlier process left', async () => {
  const first = new Journal(folder);
  expect([first.pending, first.oldestAt]).toEqual([0, undefined]);
  const before = Date.now();
  for (const operation of ['a', 'b', 'c']) first.append(commit(operation));
  expect(first.oldestAt?.getTime()).toBeGreaterThanOrEqual(before);
  expect(first.oldestAt?.getTime()).toBeLessThanOrEqual(Date.now());
  first.close();
  const [name] = readdirSync(folder) as [string];
  renameSync(join(folder, name), join(folder, name.replace(/^[^-]+/, '20260102T030405678Z')));

  const second = new Journal(folder);
  second.append(commit('d'));
  expect([second.pending, second.oldestAt]).toEqual([4, new Date('2026-01-02T03:04:05.678Z')]);
  await replayed(second, (operation) => operation === 'd');
  expect(second.pending).toBe(1);
  await replayed(second);
  expect([second.pending, second.oldestAt]).toEqual([0, undefined]);
});

test('it reports what was kept aside until somebody took it away', async () => {
  const journal = new Journal(folder);
  expect(journal.rejectedBytes).toBe(0);
  journal.append(commit('a'));
  await journal.replay(async () => false);
  expect(journal.rejectedBytes).toBe(JSON.stringify(commit('a')).length + 1);
  rmSync(join(folder, 'rejected'));
  expect(journal.rejectedBytes).toBe(0);
});
