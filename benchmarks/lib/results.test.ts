/** Committed results: their shape, and RESULTS.md, which follows from them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measurements } from '../measurements.mjs';
import { renderReport, titleOf } from './report.mjs';
import { format, readResults } from './results.mjs';

const RESULTS = join(__dirname, '..', 'results');
const results = readResults();
const names = measurements.map(({ name }) => name);

test.each(results)(
  '$name comes from a measurement, or says why it is no longer taken',
  ({ name, retired }) => {
    expect(Boolean(retired)).toBe(!names.includes(name));
  },
);

test.each(results)('$name has a sample wherever it has an interval or a range', ({ figures }) => {
  for (const { value, target, sample } of figures) {
    expect([typeof value, typeof target]).toEqual(['number', 'number']);
    if (sample) expect(sample.n).toBeGreaterThan(0);
    const [low, high] = sample?.interval ?? sample?.range ?? [0, 0];
    expect(low).toBeLessThanOrEqual(high);
  }
});

test.each(results)('the file of $name is written as the runner writes it', (result) => {
  expect(readFileSync(join(RESULTS, `${titleOf(result)}.json`), 'utf8')).toBe(format(result));
});

test('RESULTS.md is generated from the results beside it', () => {
  expect(renderReport(results)).toBe(readFileSync(join(RESULTS, 'RESULTS.md'), 'utf8'));
});
