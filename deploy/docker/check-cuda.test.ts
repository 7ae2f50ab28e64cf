// The check of CUDA's versions: its judgement here, on names; its reading of ELF headers on ONNX Runtime's own library.

import { join } from 'node:path';
import { evaluate, runNode, withFolder } from '../local/testing';

const ROOT = join(__dirname, '../..');
const LIBRARIES = join(ROOT, `node_modules/onnxruntime-node/bin/napi-v6/linux/${process.arch}`);

/** As ONNX Runtime 1.30 needs them, its CUDA and its TensorRT provider together. */
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

const without = (names: string[], name: string) => names.filter((one) => !one.startsWith(name));

test('says what fits, and refuses in one sentence what does not', async () => {
  const cases: [string, string[], string[], string][] = [
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
    [
      'a library that is missing',
      NEEDED,
      without(IMAGE, 'libcurand'),
      'The base image lacks libcurand.so.10.',
    ],
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
  ];
  const said = await evaluate(
    `import { compare } from '../docker/check-cuda.mjs';
     for (const [, needed, present] of ${JSON.stringify(cases)}) {
       try { print(compare(needed, present)); } catch (error) { print(error.message); }
     }`,
  );
  expect(cases.map(([title], i) => [title, said[i]])).toEqual(
    cases.map(([title, , , sentence]) => [title, sentence]),
  );
});

test('reads what a library needs from its header, and ends the build when it cannot tell', async () => {
  const [needed] = await evaluate(
    `import { neededBy } from '../docker/check-cuda.mjs'; print(neededBy(${JSON.stringify(LIBRARIES)}));`,
  );
  expect(needed).toEqual(expect.arrayContaining(['libstdc++.so.6', 'libc.so.6']));
  await withFolder(async (image) => {
    const script = join(__dirname, 'check-cuda.mjs');
    const { code, stderr } = await runNode([script, '--libraries', LIBRARIES, '--image', image]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('do not say which CUDA they want')]);
    const opens = ['--opens', 'libcudart.so.11.0,libcudnn.so.8'];
    const other = await runNode([script, '--libraries', LIBRARIES, '--image', image, ...opens]);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('made for CUDA 11, and the base image has no CUDA'),
    ]);
  });
});
