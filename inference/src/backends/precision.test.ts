import { choosePrecision } from './precision';
import { hasByteDotProducts } from './processor';

const cpu = { name: 'onnx', device: 'cpu' } as const;
const processor = (flags: string) => () => hasByteDotProducts(`flags : fpu sse ${flags} ht`);

test.each([
  ['avx2 avx512_vnni', 'int8'],
  ['avx_vnni', 'int8'],
  ['fp asimd asimddp', 'int8'],
  ['avx2 avx512f', 'float32'],
])('a processor with %s computes in %s', (flags, expected) => {
  expect(choosePrecision('auto', cpu, processor(flags))).toBe(expected);
});

test('GPUs and TFJS compute in floats on any processor', () => {
  const fast = processor('avx512_vnni');
  expect(choosePrecision('auto', { name: 'onnx', device: 'cuda' }, fast)).toBe('float32');
  expect(choosePrecision('auto', { name: 'tfjs', device: 'wasm' }, fast)).toBe('float32');
});

test('follows a requested precision or refuses it with a sentence', () => {
  expect(choosePrecision('int8', cpu, processor('avx_vnni'))).toBe('int8');
  expect(choosePrecision('float32', cpu, processor('avx512_vnni'))).toBe('float32');
  expect(() => choosePrecision('int8', cpu, processor('avx2'))).toThrow(
    'INFERENCE_PRECISION=int8: this processor has no dot products of bytes',
  );
  expect(() => choosePrecision('int8', { name: 'onnx', device: 'webgpu' })).toThrow(
    'INFERENCE_PRECISION=int8 is for the backend onnx on a CPU, not for onnx on webgpu',
  );
});

test('float16 is for GPUs on request', () => {
  expect(choosePrecision('float16', { name: 'onnx', device: 'cuda' })).toBe('float16');
  expect(choosePrecision('float16', { name: 'onnx', device: 'webgpu' })).toBe('float16');
  expect(() => choosePrecision('float16', cpu)).toThrow(
    'INFERENCE_PRECISION=float16 is for the backend onnx on a GPU, not for onnx on cpu',
  );
  expect(() => choosePrecision('float16', { name: 'tfjs', device: 'tensorflow' })).toThrow(
    'INFERENCE_PRECISION=float16 is for the backend onnx on a GPU, not for tfjs on tensorflow',
  );
});
