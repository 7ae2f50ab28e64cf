import { FairSlots } from './fair-slots';

/** Takes as many slots for the key as it gets. */
function fill(slots: FairSlots, key: string): number {
  for (let taken = 0; ; taken++) if (!slots.take(key)) return taken;
}

test.each([
  [1, 1],
  [2, 1],
  [8, 3],
  [32, 11],
  [128, 43],
])('with %d slots, a single key gets %d', (total, most) => {
  expect(fill(new FairSlots(total), 'a')).toBe(most);
});

test('keys that take all they can leave slots for others', () => {
  const slots = new FairSlots(128);
  for (let key = 0; key < 8; key++) expect(fill(slots, `key ${key}`)).toBeGreaterThan(0);
  expect(slots.take('other')).toBe(true);
});

test('never gives more slots than there are', () => {
  const slots = new FairSlots(4);
  for (const key of 'abcd') expect(slots.take(key)).toBe(true);
  expect(slots.free).toBe(0);
  expect(slots.take('e')).toBe(false);
  slots.release('a');
  expect(slots.take('e')).toBe(true);
});

test('a key never gets more than the limit for each', () => {
  expect(fill(new FairSlots(100, 1), 'a')).toBe(1);
});
