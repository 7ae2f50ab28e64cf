import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../folders.mjs';
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

it('explains why a folder cannot be created', async () => {
  const mkdirError = (code: string) =>
    explained(Object.assign(error(code, '/ro/.data'), { syscall: 'mkdir' }));
  // Node's code for a folder of a read-only file system.
  expect(mkdirError('ENOENT')).toMatchObject({
    message: '/ro/.data cannot be used (EROFS): make it accessible to this user.',
  });
  await withFolder((folder) => {
    const file = join(folder, '.data');
    writeFileSync(file, '');
    for (const path of [file, join(file, 'redis')]) {
      let thrown: unknown;
      try {
        mkdirSync(path, { recursive: true });
      } catch (failure) {
        thrown = explained(failure);
      }
      expect(thrown).toBeInstanceOf(Stop);
      expect((thrown as Stop).message).toMatch(
        /\.data.* cannot be used \((EEXIST|ENOTDIR)\), because .*: move it away\.$/,
      );
    }
  });
});

it.each(['/dev/full'].filter((path) => existsSync(path)))('names the file on a full disk: %s', (path) => {
  expect(() => writeText(path, 'secret')).toThrow(expect.objectContaining({ code: 'ENOSPC', path }));
});
