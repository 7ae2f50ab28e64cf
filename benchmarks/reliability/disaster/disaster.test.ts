import { surprisesIn } from './trials.mjs';
import { balanceOf, journaledUnits } from './units.mjs';

const items = {
  atBackup: ['a', 'b'],
  atLoss: ['a', 'b', 'c', 'd'],
  journaled: [['d'], ['e', 'g']],
  billed: ['a', 'b', 'd', 'e', 'f'],
  succeeded: 6,
};
const fair = { twice: 0, unbilled: 0, deviation: 0 };

test('units are in the backup, in a journal, from after the restore, or lost', () => {
  // The reply to the commit of `d` was lost, so it was in the lost Redis and in a journal.
  expect(balanceOf(items)).toEqual({ atBackup: 2, journaled: 2, since: 1, lost: 1, ...fair });
});

test('repetitions with one idempotency key are one unit', () => {
  const line = (operation: string, key?: string, index = 0) => ({
    accountId: 'acc',
    operation,
    reservation: { index },
    ...(key !== undefined && { idempotency: { key } }),
  });
  const lines = [line('a', 'k'), line('a', 'k', 1), line('b', 'k'), line('c'), line('d')];
  expect(journaledUnits(lines)).toEqual([['a:0', 'b:0'], ['a:1'], ['c:0'], ['d:0']]);
});

test.each([
  ['billed twice', { billed: [...items.billed, 'e'] }, { ...fair, twice: 1 }],
  ['billed for a repetition as well', { billed: [...items.billed, 'g'] }, { twice: 1 }],
  ['in the backup or a journal and not billed', { billed: ['b', 'd', 'f'] }, { unbilled: 2 }],
  ['neither billed nor lost', { succeeded: 7 }, { ...fair, deviation: 1 }],
  ['billed without a success', { succeeded: 5 }, { ...fair, deviation: -1 }],
])('a unit that is %s is counted', (_, change, expected) => {
  expect(balanceOf({ ...items, ...change })).toMatchObject(expected);
});

test('a revoked key that is valid after a restore is expected, and after a failover a surprise', () => {
  const counts = {
    'Key from before': 200,
    'Key created since': 401,
    'Key revoked since': 200,
    'Session from before': 200,
    'Session created since': 404,
    'Session erased since': 404,
    'New session': 200,
    'Key revoked again': 401,
  };
  expect(surprisesIn(counts, { hasReplica: false, losesKeys: false })).toEqual([]);
  expect(surprisesIn(counts, { hasReplica: false, losesKeys: true })).toEqual([
    'Session from before: 200, not 404',
  ]);
  expect(surprisesIn(counts, { hasReplica: true, losesKeys: false })).toContain(
    'Key revoked since: 200, not 401',
  );
});
