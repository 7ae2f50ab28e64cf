/** A folder with an operator's own model: a manifest and a small ONNX file, as models that tests change at will. */
import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeOnnx } from '../src/onnx-format/onnx-file';

type Json = Record<string, unknown>;

/** Side of its square input in pixels. */
const side = 32;

/** A graph [N, 3, side, side] -> [N, 4]: the mean of each quarter of the image's values, which no detector would be. */
export const meansModel = (side: number, output = 'means') =>
  encodeOnnx({
    name: 'means',
    inputs: [{ name: 'data', type: 'float', dims: ['N', 3, side, side] }],
    outputs: [{ name: output, type: 'float', dims: ['N', 4] }],
    nodes: [
      { op: 'Reshape', inputs: ['data', 'shape'], outputs: ['quarters'], attributes: {} },
      { op: 'ReduceMean', inputs: ['quarters'], outputs: [output], attributes: { axes: [2], keepdims: 0 } },
    ],
    initializers: [
      {
        name: 'shape',
        type: 'int64',
        dims: [3],
        data: new Uint8Array(BigInt64Array.of(0n, 4n, -1n).buffer),
      },
    ],
    metadata: {},
  });

const file = meansModel(side);

/** A valid manifest of that file. */
export const ownManifest = (changes: Json = {}): Json => ({
  id: 'own',
  task: 'face-embedding',
  description: 'Means of four quarters',
  license: 'CC0',
  trainingData: 'none',
  source: { kind: 'file', path: 'own.onnx', sha256: createHash('sha256').update(file).digest('hex') },
  input: { width: side, height: side, channels: 3, layout: 'NCHW' },
  outputs: [{ name: 'embedding', shape: [4] }],
  alignments: [
    {
      landmarks: [33, 263],
      positions: [
        [1, 2],
        [3, 4],
      ],
    },
  ],
  calibration: {
    source: 'none',
    curve: [
      [0, 1],
      [1, 0],
    ],
  },
  ...changes,
});

/** @returns the new folder; `manifests` by file name. */
export function ownModelsFolder(manifests: Record<string, Json | string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'own-models-'));
  writeFileSync(join(folder, 'own.onnx'), file);
  for (const [name, manifest] of Object.entries(manifests)) {
    writeFileSync(join(folder, name), typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  }
  return folder;
}
