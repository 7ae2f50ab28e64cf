import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate, withFolder } from '../testing';

async function hashOf(root: string, inputs: object[]): Promise<unknown> {
  const [hash] = await evaluate(
    `import { contentHash } from './setup/stamps.mjs';
     print(contentHash(${JSON.stringify(root)}, ${JSON.stringify(inputs)}));`,
  );
  return hash;
}

function write(root: string, path: string, content: string) {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
}

describe('contentHash', () => {
  it('changes with contents, names and the border between two files, and with nothing else', async () => {
    await withFolder(async (root) => {
      const inputs = [{ path: 'src' }];
      write(root, 'src/a.ts', 'one');
      write(root, 'src/deep/b.ts', 'two');
      const first = await hashOf(root, inputs);
      expect(first).toMatch(/^[0-9a-f]{64}$/);

      write(root, 'src/a.ts', 'one');
      expect(await hashOf(root, inputs)).toBe(first);
      write(root, 'src/a.ts', 'ONE');
      expect(await hashOf(root, inputs)).not.toBe(first);

      rmSync(join(root, 'src/a.ts'));
      write(root, 'src/c.ts', 'one');
      expect(await hashOf(root, inputs)).not.toBe(first);

      write(root, 'pair/a', 'xy');
      write(root, 'pair/b', 'z');
      const pair = await hashOf(root, [{ path: 'pair' }]);
      write(root, 'pair/a', 'x');
      write(root, 'pair/b', 'yz');
      expect(await hashOf(root, [{ path: 'pair' }])).not.toBe(pair);
    });
  });

  it('leaves out skipped names at any depth and other endings, and takes a missing input as empty', async () => {
    await withFolder(async (root) => {
      const inputs = [{ path: 'web', skip: ['node_modules'], ending: '.json' }, { path: 'absent' }];
      write(root, 'web/plans.json', '{}');
      const first = await hashOf(root, inputs);
      write(root, 'web/deep/node_modules/x.json', '{}');
      write(root, 'web/readme.md', 'words');
      expect(await hashOf(root, inputs)).toBe(first);
      write(root, 'web/deep/y.json', '{}');
      expect(await hashOf(root, inputs)).not.toBe(first);
    });
  });
});
