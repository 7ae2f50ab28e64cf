// Tests the comparison of CUDA's versions with names of libraries, and the reader of ELF headers with ONNX Runtime's
// library.

import { join } from 'node:path';
import { withFolder } from '../../gateway/harness/folders.mjs';
import { runToEnd } from '../../gateway/harness/process.mjs';
import { compare, neededBy } from './check-cuda.mjs';

const ROOT = join(__dirname, '../..');
const LIBRARIES = join(ROOT, `node_modules/onnxruntime-node/bin/napi-v6/linux/${process.arch}`);

/** The libraries that the CUDA and TensorRT providers of ONNX Runtime 1.30 need. */
const NEEDED = [
  'libcudart.so.13',
  'libcublas.so.13',
  'libcurand.so.10',
  'libcudnn.so.9',
  'libcuda.so.1',
  'libc.so.6',
];
const IMAGE = [
  'libcudart.so.13',
  'libcudart.so.13.0.96',
  'libcublas.so.13',
  'libcurand.so.10',
  'libcudnn.so.9',
];

const without = (names: string[], name: string) => names.filter((library) => !library.startsWith(name));

test.each<[string, string[], string[], string]>([
  ['all that is needed', NEEDED, IMAGE, 'CUDA 13 and cuDNN 9, as the base image has them'],
  [
    'another CUDA',
    NEEDED,
    ['libcudart.so.12', 'libcudnn.so.9'],
    'The libraries were made for CUDA 13, and the base image has CUDA 12: build on a base image with CUDA 13.',
  ],
  [
    'another cuDNN',
    NEEDED,
    [...without(IMAGE, 'libcudnn'), 'libcudnn.so.8'],
    'The libraries were made for cuDNN 9, and the base image has cuDNN 8: build on a base image with cuDNN 9.',
  ],
  [
    'an image without cuDNN',
    NEEDED,
    without(IMAGE, 'libcudnn'),
    'The libraries were made for cuDNN 9, and the base image has no cuDNN: build on a base image with cuDNN 9.',
  ],
  ['a library that is missing', NEEDED, without(IMAGE, 'libcurand'), 'The base image lacks libcurand.so.10.'],
  [
    'libraries that say nothing',
    ['libc.so.6'],
    IMAGE,
    'The libraries do not say which CUDA they want: nothing can be compared with the base image.',
  ],
  [
    'libraries that disagree',
    [...NEEDED, 'libcudart.so.12'],
    IMAGE,
    'The libraries disagree about CUDA (13 and 12): nothing can be compared with the base image.',
  ],
])('describes %s in one sentence', (_title, needed, present, sentence) => {
  const verdict = () => {
    try {
      return compare(needed, present);
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(verdict()).toBe(sentence);
});

test('reads the needs of a library from its header, and fails the build when they are unknown', async () => {
  const needed = neededBy(LIBRARIES);
  expect(needed).toEqual(expect.arrayContaining(['libstdc++.so.6', 'libc.so.6']));
  await withFolder(async (image) => {
    const script = join(__dirname, 'check-cuda.mjs');
    const { code, stderr } = await runToEnd(process.execPath, [
      script,
      '--libraries',
      LIBRARIES,
      '--image',
      image,
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('do not say which CUDA they want')]);
    const opens = ['--opens', 'libcudart.so.11.0,libcudnn.so.8'];
    const other = await runToEnd(process.execPath, [
      script,
      '--libraries',
      LIBRARIES,
      '--image',
      image,
      ...opens,
    ]);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('made for CUDA 11, and the base image has no CUDA'),
    ]);
  });
});
