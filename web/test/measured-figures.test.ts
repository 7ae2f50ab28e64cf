/** The figures that texts quote: a missing one stops the build instead of printing nothing. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Reads the figures in Node after a change of the results, and prints a part of them or the error. */
const figuresAfter = (change: string): string =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { measuredFigures, readResults } from ${JSON.stringify(join(__dirname, '../gatsby/measured-figures.mjs'))};
      const results = await readResults();
      const find = (name) => results.find((result) => result.name === name);
      ${change};
      try {
        const figures = measuredFigures(results, { thresholds: { similarityDefault: 0.8 } });
        console.log(Object.entries(figures).filter(([, value]) => /undefined|NaN|null/.test(value)));
      } catch ({ message }) {
        console.log(message);
      }`,
    ],
    { encoding: 'utf8' },
  ).trim();

test('every figure has a value', () => {
  expect(figuresAfter('')).toBe('[]');
});

test.each([
  ['figure', 'find("accuracy/presentations").figures.length = 2', 'accuracy/presentations has no figure'],
  [
    'field',
    'delete find("accuracy/attributes").data.realOcclusions',
    'accuracy/attributes has no realOcclusions.',
  ],
  ['measurement', 'results.length = 1', 'No result is named'],
])('a missing %s is an error', (_, change, message) => {
  expect(figuresAfter(change)).toContain(message);
});
