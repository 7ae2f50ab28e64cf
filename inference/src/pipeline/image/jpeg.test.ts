import { forms } from '../../../test/corpus/forms';
import { photo } from '../../../test/photos';
import { warnsOnlyOfDamage } from './jpeg';

test('warnings do not refuse intact files of cameras that cause warnings', async () => {
  const lenient = (await forms())
    .filter(({ name, bytes }) => name.includes('JPEG') && !warnsOnlyOfDamage(bytes))
    .map(({ name }) => name);
  expect(lenient).toEqual([
    'JPEG, unknown color transform',
    'JPEG, bytes between its segments',
    'JPEG, fill bytes before a segment',
    'JPEG, 0 bytes before each restart marker',
    'JPEG, 2 bytes before each restart marker',
    'JPEG, 7 bytes before each restart marker',
    'JPEG, scan parameters out of range',
  ]);
});

test('warnings refuse an ordinary photograph, but not one truncated in its header or empty', () => {
  expect(warnsOnlyOfDamage(photo(4))).toBe(true);
  for (const length of [0, 2, 3, 4, 50]) expect(warnsOnlyOfDamage(photo(4).subarray(0, length))).toBe(false);
});
