import { bounds } from '../../bounds';
import { bitsOf, dayOf, type Marks, minutesOf } from './days';
import { HealthHistory, type HealthStore } from './health-history';

const minuteMs = 60_000;
const noon = Date.parse('2026-01-15T12:00:00Z');

/** A store in memory that several gateways share. */
class MemoryStore implements HealthStore {
  readonly records = new Map<string, Buffer>();
  isReachable = true;
  additions = 0;
  reads = 0;

  async add(marks: readonly (readonly [number, Marks])[]): Promise<void> {
    if (!this.isReachable) throw new Error('no store');
    this.additions += 1;
    for (const [minute, mark] of marks) {
      const record = this.records.get(dayOf(minute)) ?? Buffer.alloc(1440);
      for (const bit of bitsOf(minute, mark))
        record[bit >> 3] = (record[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
      this.records.set(dayOf(minute), record);
    }
  }

  async read(days: readonly string[]) {
    this.reads += 1;
    if (!this.isReachable) throw new Error('no store');
    return days.map((day) => this.records.get(day));
  }

  minutes(component: Parameters<typeof minutesOf>[0], day = '2026-01-15') {
    return minutesOf(component, this.records.get(day) ?? Buffer.alloc(0));
  }
}

let now: number;
let store: MemoryStore;
type Tiers = Parameters<typeof import('./days').marksOf>[0];
beforeEach(() => {
  now = noon;
  store = new MemoryStore();
});

function gateway(unavailable: () => Tiers = () => [], isInService = () => true): HealthHistory {
  return new HealthHistory({
    store,
    unavailable: async () => unavailable(),
    isInService: async () => isInService(),
    now: () => now,
  });
}

const up = (available: number) => ({ available, partial: 0, unavailable: 0 });

test('a minute counts once, however often and by however many gateways it is measured', async () => {
  const gateways = [gateway(), gateway()];
  for (let second = 0; second < 180; second += 10) {
    for (const gateway of gateways) await gateway.measure();
    now += 10_000;
  }
  expect(store.minutes('api')).toEqual(up(3));
  // A minute that is stored already is not stored again.
  expect(store.additions).toBe(2 * 3);
});

test('a component is unavailable without a tier that it needs', async () => {
  await gateway(() => ['sessionKeys']).measure();
  expect(store.minutes('liveness')).toEqual({ available: 0, partial: 0, unavailable: 1 });
  for (const other of ['api', 'analyses', 'webhooks'] as const) expect(store.minutes(other)).toEqual(up(1));
  now += minuteMs;
  await gateway(() => ['inference']).measure();
  expect(store.minutes('analyses')).toEqual({ available: 1, partial: 0, unavailable: 1 });
  expect(store.minutes('webhooks')).toEqual(up(2));
});

test('a minute in which measurements differ is partial', async () => {
  let missing: Tiers = [];
  const [first, other] = [gateway(() => missing), gateway()];
  await first.measure();
  missing = ['inference'];
  await first.measure();
  await other.measure();
  expect(store.minutes('analyses')).toEqual({ available: 0, partial: 1, unavailable: 0 });
  expect(store.minutes('api')).toEqual(up(1));
});

test('an outage of the store is part of the history once the store is back', async () => {
  let missing: Tiers = [];
  const instance = gateway(() => missing);
  await instance.measure();
  store.isReachable = false;
  missing = ['store'];
  for (let minute = 0; minute < 5; minute += 1) {
    now += minuteMs;
    await instance.measure();
  }
  expect(store.minutes('api')).toEqual(up(1));
  store.isReachable = true;
  missing = [];
  now += minuteMs;
  await instance.measure();
  for (const component of ['api', 'analyses', 'liveness', 'webhooks'] as const)
    expect(store.minutes(component)).toEqual({ available: 2, partial: 0, unavailable: 5 });
});

test('a store that responds but takes no marks is not fine', async () => {
  const instance = gateway();
  store.isReachable = false;
  await expect(instance.measure()).rejects.toThrow('no store');
  store.isReachable = true;
  now += minuteMs;
  await instance.measure();
  expect(store.minutes('api')).toEqual({ available: 1, partial: 0, unavailable: 1 });
});

test('a limited number of minutes waits for the store, and the oldest are lost', async () => {
  let missing: Tiers = ['store'];
  const instance = gateway(() => missing);
  now = Date.parse('2026-01-15T00:00:00Z');
  for (let minute = 0; minute < bounds.healthMinutes + 10; minute += 1) {
    await instance.measure();
    now += minuteMs;
  }
  missing = [];
  await instance.measure();
  expect(store.minutes('api').unavailable).toBe(bounds.healthMinutes - 10);
  expect(store.minutes('api', '2026-01-16')).toEqual({ available: 1, partial: 0, unavailable: 10 });
});

test('minutes without a measurement are in no number', async () => {
  const instance = gateway();
  await instance.measure();
  now += 60 * minuteMs;
  await instance.measure();
  expect(store.minutes('api')).toEqual(up(2));
});

test('a gateway that is not in service measures nothing', async () => {
  await gateway(
    () => ['inference'],
    () => false,
  ).measure();
  expect(store.records.size).toBe(0);
});

describe('reading', () => {
  test('has the state now and the days with a measurement, from the oldest to today', async () => {
    const instance = gateway();
    for (const day of ['2025-10-17', '2025-10-18', '2026-01-14', '2026-01-15']) {
      now = Date.parse(`${day}T23:59:59Z`);
      await instance.measure();
    }
    const [api, , liveness] = await gateway(() => ['sessionKeys']).read();
    // 90 days: 2025-10-17 is over.
    expect(api).toEqual({
      component: 'api',
      available: true,
      days: ['2025-10-18', '2026-01-14', '2026-01-15'].map((date) => ({ date, ...up(1) })),
    });
    expect(liveness).toMatchObject({ component: 'liveness', available: false });
  });

  test('has no days while the store cannot be read, and has them again at once', async () => {
    const instance = gateway(() => (store.isReachable ? [] : ['store']));
    await instance.measure();
    store.isReachable = false;
    for (const component of await instance.read())
      expect(component).toEqual({ component: component.component, available: false });
    store.isReachable = true;
    expect(await instance.read()).toContainEqual({
      component: 'webhooks',
      available: true,
      days: [{ date: '2026-01-15', ...up(1) }],
    });
  });

  test('asks the store once a minute for all readers', async () => {
    const instance = gateway();
    await Promise.all([instance.read(), instance.read()]);
    now += 59_999;
    await instance.read();
    expect(store.reads).toBe(1);
    now += 1;
    await instance.read();
    expect(store.reads).toBe(2);
  });
});
