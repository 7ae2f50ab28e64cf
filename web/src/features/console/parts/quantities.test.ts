import { formatBytes, formatMs, formatShare } from './quantities';

test.each([
  [0, '0 ms'],
  [0.05, '0.05 ms'],
  [24.91, '24.9 ms'],
  [999.4, '999 ms'],
  [999.6, '1 s'],
  [1234, '1.23 s'],
  [60_000, '60 s'],
])('%d milliseconds are %s', (ms, text) => {
  expect(formatMs(ms)).toBe(text);
});

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [183_422, '183 kB'],
  [999_500, '1 MB'],
  [999_600, '1 MB'],
  [5_242_880, '5.24 MB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [1, 1, '100'],
  [0, 3, '0'],
  [2, 3, '66.7'],
  [19_999, 20_000, '99.99'],
  [199_999, 200_000, '99.99'],
  [1, 200_000, '0.01'],
  [995, 1000, '99.5'],
])('%d of %d are %s percent', (part, total, text) => {
  expect(formatShare(part, total)).toBe(text);
});
