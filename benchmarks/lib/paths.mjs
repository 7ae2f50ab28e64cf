/** Places that measurements read and write. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BENCHMARKS = fileURLToPath(new URL('..', import.meta.url));
export const ROOT = join(BENCHMARKS, '..');
export const RESULTS = join(BENCHMARKS, 'results');
/** Raw figures: artifacts that are never committed. */
export const RAW = join(process.env.PRESENZA_DATA ?? join(ROOT, '.data'), 'benchmarks');
/** Test material, never part of the repository. */
export const DATA = process.env.BENCH_DATA ?? join(ROOT, '..', 'shared', 'data');
/** The built inference tier; BENCH_TIER names the `main.js` of another build, to compare two. */
export const INFERENCE_MAIN = process.env.BENCH_TIER ?? join(ROOT, 'inference', 'dist', 'main.js');
/** A file of the same build. @param {string[]} path */
export const inferenceFile = (...path) => join(INFERENCE_MAIN, '..', ...path);
/** A file of the built gateway. @param {string[]} path */
export const gatewayFile = (...path) => join(ROOT, 'gateway', 'dist', ...path);
