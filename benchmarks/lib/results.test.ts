/** Committed results: their shape, and RESULTS.md, which follows from them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from './testing';
import type { Summary } from './types';

const IMPORTS = `
  import { measurements } from './measurements.mjs';
  import { renderReport } from './lib/report.mjs';
  import { format, readResults } from './lib/results.mjs';
  const results = readResults();`;

const RESULTS = join(__dirname, '..', 'results');
const { results, names } = evaluate<{ results: Summary[]; names: string[] }>(
  IMPORTS,
  '{ results, names: measurements.map(({ name }) => name) }'.replace(/^/, '(').concat(')'),
);

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

test('each file is written as the runner writes it', () => {
  const differing = evaluate<string[]>(
    `${IMPORTS} import { readFileSync } from 'node:fs';`,
    `results.filter((one) => readFileSync('results/' + one.name + (one.variant ? '-' + one.variant : '') + '.json', 'utf8') !== format(one)).map(({ name }) => name)`,
  );
  expect(differing).toEqual([]);
});

test('RESULTS.md is generated from the results beside it', () => {
  const report = readFileSync(join(RESULTS, 'RESULTS.md'), 'utf8');
  expect(evaluate<string>(IMPORTS, 'renderReport(results)')).toBe(report);
});
