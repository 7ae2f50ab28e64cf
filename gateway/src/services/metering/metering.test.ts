import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalLimiter } from '../limits/local-limiter';
import { Journal } from './journal';
import { Metering } from './metering';
import { type MeterStore, type Settlement, StoreUnavailable } from './metering-store';
import { StoreBreaker } from './store-breaker';

const end = (accountId: string): Settlement => ({
  accountId,
  mode: 'live',
  admissionId: 'o',
  operations: 1,
  commits: [],
  refunds: [0],
  ends: true,
});

test('a settlement that the store never accepts does not hold up the others', async () => {
  let now = 0;
  let failure: (accountId: string) => Error | undefined = () => new StoreUnavailable('gone');
  const settled: string[] = [];
  const rejected: Error[] = [];
  const store: Pick<MeterStore, 'settle'> = {
    settle: async ({ accountId }) => {
      const error = failure(accountId);
      if (error) throw error;
      settled.push(accountId);
      return [];
    },
  };
  const metering = new Metering({
    store: store as MeterStore,
    breaker: new StoreBreaker({ now: () => now, onUnavailable: () => {}, onRecovered: () => {} }),
    journal: new Journal(join(tmpdir(), 'presenza-never-written')),
    local: new LocalLimiter(1),
    now: () => now,
    onRejected: (error) => rejected.push(error),
  });
  for (const accountId of ['broken', 'unavailable', 'well'])
    await metering.settle(end(accountId), true, () => []);

  now = 1_000;
  const failures: Record<string, Error> = {
    broken: new Error('WRONGTYPE'),
    unavailable: new StoreUnavailable('gone'),
  };
  failure = (accountId) => failures[accountId];
  await metering.catchUp();
  expect({ settled, rejected }).toEqual({ settled: ['well'], rejected: [failures.broken] });

  now = 2_000;
  failure = () => undefined;
  await metering.catchUp();
  await metering.catchUp();
  expect(settled).toEqual(['well', 'unavailable']);
});
