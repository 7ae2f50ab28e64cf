/** Generates RESULTS.md and its charts from all summaries. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderChart } from './charts.mjs';
import { RESULTS } from './paths.mjs';
import { renderReport, titleOf } from './report.mjs';
import { readResults } from './results.mjs';

/** @returns the path of RESULTS.md */
export function writeReport() {
  const summaries = readResults();
  const charts = join(RESULTS, 'charts');
  rmSync(charts, { recursive: true, force: true });
  mkdirSync(charts);
  for (const summary of summaries)
    for (const chart of summary.charts ?? [])
      writeFileSync(
        join(charts, `${titleOf(summary).replace('/', '-')}-${chart.file}.svg`),
        renderChart(chart),
      );
  const path = join(RESULTS, 'RESULTS.md');
  writeFileSync(path, renderReport(summaries));
  return path;
}
