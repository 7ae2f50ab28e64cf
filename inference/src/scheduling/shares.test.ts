import { FairShares } from './shares';

test('the account that has used least is next, and one without use starts at the cost of the last', () => {
  const shares = new FairShares();
  shares.charge('a', 3);
  shares.charge('b', 2);
  expect(shares.next(new Set(['a', 'b']))).toBe('b');
  expect(shares.usedBy('c')).toBe(2);
});

test('any number of accounts takes bounded memory: those that were charged longest ago start anew', () => {
  const shares = new FairShares();
  shares.charge('oldest', 1);
  shares.charge('recent', 1);
  for (let i = 0; i < 999; i++) {
    shares.charge('recent', 1);
    shares.charge(`account ${i}`, 1);
  }
  expect([shares.usedBy('oldest'), shares.usedBy('recent')]).toEqual([0, 1000]);
});
