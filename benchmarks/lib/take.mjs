/** Takes one measurement and saves its result. */

import { describeCommit, describeMachine } from '../../inference/src/evaluation/liveness/circumstances.mjs';
import { figure, quantity, reached } from './report.mjs';
import { buildIsStale, saveResult } from './results.mjs';
import { Skip } from './skip.mjs';

/**
 * @param {import('./types').Measurement} measurement
 * @param {{ overrides: Record<string, string>, quick: boolean }} options
 * @returns {Promise<{ name: string, status: 'measured' | 'skipped' | 'failed', sentence: string }>}
 */
export async function take(measurement, { overrides, quick }) {
  const { name, question } = measurement;
  console.log(`\n${name}: ${question}`);
  const machine = describeMachine();
  const conditions = override({ ...measurement.conditions, ...(quick && measurement.quick) }, overrides);
  const begin = performance.now();
  try {
    const raw = await measurement.run(conditions, (line) => console.log(`  ${line}`));
    const seconds = (performance.now() - begin) / 1e3;
    const { figures, tables, charts, data, variant } = measurement.summarize(raw, conditions);
    const summary = {
      name,
      ...(variant && { variant }),
      question,
      measuredAt: new Date().toISOString(),
      commit: describeCommit(),
      ...(buildIsStale() && { staleBuild: /** @type {const} */ (true) }),
      machine,
      ...(process.env.BENCH_NOTE && { note: process.env.BENCH_NOTE }),
      seconds,
      conditions,
      figures,
      tables,
      ...(charts && { charts }),
      ...(data && { data }),
    };
    if (!quick) saveResult(summary, raw);
    for (const measuredFigure of figures)
      console.log(
        `  ${reached(measuredFigure) ? 'reached' : 'MISSED '} ${measuredFigure.what}: ${quantity(measuredFigure.value, measuredFigure.unit)}`,
      );
    return { name, status: 'measured', sentence: `${figure(Math.round(seconds))} s` };
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    if (error instanceof Skip) return { name, status: 'skipped', sentence };
    console.error(error);
    return { name, status: 'failed', sentence };
  }
}

/** @param {import('./types').Conditions} defaults @param {Record<string, string>} given */
const override = (defaults, given) =>
  Object.fromEntries(
    Object.entries(defaults).map(([key, value]) => {
      const text = given[key];
      if (text === undefined) return [key, value];
      if (typeof value === 'boolean') return [key, text !== 'false'];
      return [key, typeof value === 'number' ? Number(text) : text];
    }),
  );
