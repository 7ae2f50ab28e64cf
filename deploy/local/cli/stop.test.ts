import { existsSync } from 'node:fs';
import { writeText } from './files.mjs';
import { explained, Stop } from './stop.mjs';

const error = (code: string, path?: string) =>
  Object.assign(new Error(code), { code, ...(path && { path }) });

it('explains a full disk and a folder without access, and leaves other errors as they are', () => {
  const sentence = (code: string) => {
    const stop = explained(error(code, '/data/key'));
    expect(stop).toBeInstanceOf(Stop);
    return (stop as Stop).message;
  };
  expect(sentence('ENOSPC')).toBe(
    'The disk is full: /data/key cannot be written. Free some space and repeat the command.',
  );
  expect(sentence('EROFS')).toBe('/data/key cannot be used (EROFS): make it accessible to this user.');
  const others = [error('ENOENT', '/data/key'), error('EACCES'), new Error('a bug'), undefined];
  expect(others.map(explained)).toEqual(others);
});

it.each(['/dev/full'].filter((path) => existsSync(path)))('names the file on a full disk: %s', (path) => {
  expect(() => writeText(path, 'secret')).toThrow(expect.objectContaining({ code: 'ENOSPC', path }));
});
