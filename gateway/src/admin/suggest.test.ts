import fc from 'fast-check';
import { editDistance, nearest } from './suggest';

test.each([
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['acounts', 'accounts', 1],
  ['same', 'same', 0],
])('from %j to %j it is %i', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
});

test('a distance is one both ways, zero for the same text, and never more than the longer one', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (a, b) => {
      const distance = editDistance(a, b);
      expect(editDistance(b, a)).toBe(distance);
      expect(distance === 0).toBe(a === b);
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
    }),
  );
});

test('the nearest candidate is meant, and nothing where none is near', () => {
  const candidates = ['accounts create', 'accounts update', 'keys create'];
  expect(nearest('accounts creat', candidates)).toBe('accounts create');
  expect(nearest('account updat', candidates)).toBe('accounts update');
  expect(nearest('bananas', candidates)).toBeUndefined();
  expect(nearest('keys create'.repeat(100), candidates)).toBeUndefined();
});
