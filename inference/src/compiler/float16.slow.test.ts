// Slow: it compiles and runs models in a second precision.
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { type PackageManifest, readCatalogue } from '../catalogue/manifest';
import { compileModel } from './compile';
import { float16Of } from './float16';
import { difference, noise } from './verify';

test.each<[string, number, number]>([
  ['zero', 0, 0],
  ['negative zero', -0, 0x8000],
  ['one', 1, 0x3c00],
  ['a negative fraction', -0.5, 0xb800],
  ['a third', 1 / 3, 0x3555],
  ['a tie to the even number below', 2049, 0x6800],
  ['a tie to the even number above', 2051, 0x6802],
  ['a carry into the exponent', 2047.9, 0x6800],
  ['the smallest normal number', 2 ** -14, 0x0400],
  ['the largest subnormal number', 2 ** -14 - 2 ** -24, 0x03ff],
  ['the smallest number', 2 ** -24, 0x0001],
  ['a number too small', 2 ** -25, 0],
  ['the largest number', 65_504, 0x7bff],
  ['a number too large', -1e6, 0xfbff],
])('%s has the bits of IEEE 754', (_, value, bits) => {
  expect(float16Of(Math.fround(value))).toBe(bits);
});

/** The outputs of a compiled model for noise. */
async function outputsOf(manifest: PackageManifest, file: Uint8Array) {
  const session = await InferenceSession.create(file, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const { width, height, channels } = manifest.input;
  const [pixels] = noise(manifest, 1) as [Uint8Array];
  const results = await session.run({ pixels: new Tensor('uint8', pixels, [1, height, width, channels]) });
  await session.release();
  return results;
}

test.each(['face-expression', 'centernet'])(
  '%s in 16-bit floats is half as large and gives almost the same',
  async (id) => {
    const manifest = (await readCatalogue()).find((candidate) => candidate.id === id) as PackageManifest;
    const exact = await compileModel(manifest, 'float32');
    const half = await compileModel(manifest, 'float16');
    expect(half.length).toBeLessThan(0.65 * exact.length);
    const [expected, actual] = [await outputsOf(manifest, exact), await outputsOf(manifest, half)];
    for (const { name } of manifest.outputs) {
      const values = actual[name]?.data as Float32Array;
      expect(actual[name]?.type).toBe('float32');
      expect(difference(expected[name]?.data as Float32Array, values)).toBeLessThan(0.01);
      expect(values).not.toEqual(expected[name]?.data);
    }
  },
);
