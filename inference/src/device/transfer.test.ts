import { buffersOf, transferable } from './transfer';

test('finds each buffer once at any depth', () => {
  const body = new Uint8Array(10);
  const other = new Float32Array(2);
  const buffers = buffersOf([
    { image: body.subarray(0, 4) },
    { images: [body.subarray(4)], crop: { data: other } },
    'text',
  ]);
  expect(buffers).toEqual([body.buffer, other.buffer]);
});

test('copies bytes of a shared pool and keeps others', () => {
  const pooled = Buffer.from('abc');
  expect(pooled.buffer.byteLength).toBeGreaterThan(3);
  const copy = transferable(pooled);
  expect(copy.buffer.byteLength).toBe(3);
  expect(transferable(copy)).toBe(copy);
});
