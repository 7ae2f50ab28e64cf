import { choosePrecision } from './precision';

const cpu = { name: 'onnx', device: 'cpu' } as const;
const processor = (flags: string) => () => Promise.resolve(`flags : fpu sse ${flags} ht`);

test.each([
  ['avx2 avx512_vnni', 'int8'],
  ['avx_vnni', 'int8'],
  ['fp asimd asimddp', 'int8'],
  ['avx2 avx512f', 'float32'],
])('a processor with %s computes in %s', async (flags, expected) => {
  expect(await choosePrecision('auto', cpu, processor(flags))).toBe(expected);
});

test('GPUs and TFJS compute in floats on any processor', async () => {
  const fast = processor('avx512_vnni');
  expect(await choosePrecision('auto', { name: 'onnx', device: 'cuda' }, fast)).toBe('float32');
  expect(await choosePrecision('auto', { name: 'tfjs', device: 'wasm' }, fast)).toBe('float32');
});

test('follows a requested precision or refuses it with a sentence', async () => {
  expect(await choosePrecision('int8', cpu, processor('avx_vnni'))).toBe('int8');
  expect(await choosePrecision('float32', cpu, processor('avx512_vnni'))).toBe('float32');
  await expect(choosePrecision('int8', cpu, processor('avx2'))).rejects.toThrow(
    'INFERENCE_PRECISION=int8: this processor has no dot products of bytes',
  );
  await expect(choosePrecision('int8', { name: 'onnx', device: 'webgpu' })).rejects.toThrow(
    'INFERENCE_PRECISION=int8 is for the backend onnx on a CPU, not for onnx on webgpu',
  );
});

test('float16 is for GPUs on request', async () => {
  expect(await choosePrecision('float16', { name: 'onnx', device: 'cuda' })).toBe('float16');
  expect(await choosePrecision('float16', { name: 'onnx', device: 'webgpu' })).toBe('float16');
  await expect(choosePrecision('float16', cpu)).rejects.toThrow(
    'INFERENCE_PRECISION=float16 is for the backend onnx on a GPU, not for onnx on cpu',
  );
  await expect(choosePrecision('float16', { name: 'tfjs', device: 'tensorflow' })).rejects.toThrow(
    'INFERENCE_PRECISION=float16 is for the backend onnx on a GPU, not for tfjs on tensorflow',
  );
});
