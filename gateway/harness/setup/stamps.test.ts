import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../folders.mjs';
import { contentHash } from './stamps.mjs';

function write(root: string, path: string, content: string) {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe('contentHash', () => {
  it('changes with contents, names and the border between two files, and with nothing else', async () => {
    await withFolder((root) => {
      const inputs = [{ path: 'src' }];
      write(root, 'src/a.ts', 'one');
      write(root, 'src/deep/b.ts', 'two');
      const first = contentHash(root, inputs);
      expect(first).toMatch(/^[0-9a-f]{64}$/);

      write(root, 'src/a.ts', 'one');
      expect(contentHash(root, inputs)).toBe(first);
      write(root, 'src/a.ts', 'ONE');
      expect(contentHash(root, inputs)).not.toBe(first);

      rmSync(join(root, 'src/a.ts'));
      write(root, 'src/c.ts', 'one');
      expect(contentHash(root, inputs)).not.toBe(first);

      write(root, 'pair/a', 'xy');
      write(root, 'pair/b', 'z');
      const pair = contentHash(root, [{ path: 'pair' }]);
      write(root, 'pair/a', 'x');
      write(root, 'pair/b', 'yz');
      expect(contentHash(root, [{ path: 'pair' }])).not.toBe(pair);
    });
  });

  it('leaves out skipped names at any depth and other endings, and takes a missing input as empty', async () => {
    await withFolder((root) => {
      const inputs = [{ path: 'web', skip: ['node_modules'], ending: '.json' }, { path: 'absent' }];
      write(root, 'web/plans.json', '{}');
      const first = contentHash(root, inputs);
      write(root, 'web/deep/node_modules/x.json', '{}');
      write(root, 'web/readme.md', 'words');
      expect(contentHash(root, inputs)).toBe(first);
      write(root, 'web/deep/y.json', '{}');
      expect(contentHash(root, inputs)).not.toBe(first);
    });
  });
});
