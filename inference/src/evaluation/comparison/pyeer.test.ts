/**
 * The rates of an independent program. pyeer 0.5.6 (PyPI) computed `pyeer-rates.csv` from the similarities of `scores.csv`,
 * the genuine and the impostor ones in a file each: `geteerinf -np -g genuine.txt -i impostor.txt`. Each of its lines
 * has the FMR and the FNMR at one similarity, from the lowest. The scores are those of 64 random vectors, two a person,
 * in two decimals, so that many are equal to a threshold.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { overallCell } from './cells';

type Row = Readonly<Record<string, number>>;

const rowsOf = (name: string) =>
  parse(readFileSync(join(__dirname, 'fixtures', name)), { columns: true, cast: true }) as unknown as Row[];

test('every rate is that of pyeer', () => {
  const scores = rowsOf('scores.csv');
  const lines = Math.max(...scores.map(({ target_line }) => target_line as number)) + 1;
  const people = Int32Array.from({ length: lines }, (_, line) => line);
  for (const { source_line, target_line, genuine } of scores)
    if (genuine === 1) people[target_line as number] = source_line as number;
  const column = (name: string) => scores.map((row) => row[name] as number);
  const similarity = Float64Array.from(column('similarity'));
  const thresholds = [...new Set(similarity)].sort((a, b) => a - b);
  const counts = { existing: 0, compared: 0 };
  const { rates } = overallCell({
    pairs: {
      source: Int32Array.from(column('source_line')),
      target: Int32Array.from(column('target_line')),
      similarity,
      genuine: counts,
      impostor: counts,
    },
    people,
    thresholds,
  });
  const ours = rates.map(({ falseMatch, falseNonMatch }) => ({
    FMR: falseMatch?.rate,
    FNMR: falseNonMatch?.rate,
  }));
  const theirs = rowsOf('pyeer-rates.csv').map(({ FMR, FNMR }) => ({
    FMR: expect.closeTo(FMR as number, 12),
    FNMR: expect.closeTo(FNMR as number, 12),
  }));
  expect(thresholds).toEqual(expect.arrayContaining([0.7, 0.8, 0.9]));
  expect(ours).toEqual(theirs);
});
