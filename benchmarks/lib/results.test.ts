/** Committed results: bars follow from the figures, and RESULTS.md follows from the results. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from './testing';
import type { Bar } from './types';

const IMPORTS = `
  import { measurements } from './measurements.mjs';
  import { renderReport } from './lib/report.mjs';
  import { asSaved, readResults } from './lib/results.mjs';
  const derive = ({ name, figures, parameters }) =>
    measurements.find((one) => one.name === name)?.bars?.(figures, parameters);
  const results = readResults();`;

test('each bar is what its measurement derives from the figures beside it', () => {
  const stated = evaluate<{ name: string; bars: Bar[]; derived?: Bar[] }[]>(
    IMPORTS,
    'results.map(({ bars, ...rest }) => ({ name: rest.name, bars, derived: asSaved(derive(rest)) }))',
  );
  const derived = stated.filter((one) => one.derived);
  expect(derived.length).toBeGreaterThan(5);
  for (const one of derived) expect(one).toEqual({ ...one, bars: one.derived });
});

test('RESULTS.md is generated from the results beside it', () => {
  const report = readFileSync(join(__dirname, '..', 'results', 'RESULTS.md'), 'utf8');
  expect(evaluate<string>(IMPORTS, 'renderReport(results, measurements)')).toBe(report);
});
