import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeOnnx } from './onnx-file';
import { isWholeOnnx } from './whole-file';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'presenza-whole-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a file is whole only with all of its fields and bytes', async () => {
  const path = join(folder, 'a.onnx');
  const bytes = encodeOnnx({
    name: 'a',
    inputs: [{ name: 'x', type: 'float', dims: ['N', 1] }],
    outputs: [{ name: 'y', type: 'float' }],
    nodes: [],
    initializers: [],
    metadata: { license: 'CC0' },
  });
  expect(await isWholeOnnx(path)).toBe(false);
  await writeFile(path, bytes);
  expect(await isWholeOnnx(path)).toBe(true);
  const cut = [];
  for (let length = bytes.length - 1; length >= 0; length--) {
    await truncate(path, length);
    if (await isWholeOnnx(path)) cut.push(length);
  }
  // Only the metadata, which the runtime does not need, can be missing unnoticed.
  expect(cut.length).toBeLessThanOrEqual(1);
  for (const other of [Buffer.alloc(bytes.length), Buffer.from('<html>not a model</html>')]) {
    await writeFile(path, other);
    expect(await isWholeOnnx(path)).toBe(false);
  }
});
