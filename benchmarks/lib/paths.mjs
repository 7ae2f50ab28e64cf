/** Places that measurements read and write. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const BENCHMARKS = fileURLToPath(new URL('..', import.meta.url));
export const ROOT = join(BENCHMARKS, '..');
export const RESULTS = join(BENCHMARKS, 'results');
/** Raw figures: artifacts that are never committed. */
export const RAW = join(process.env.PRESENZA_DATA ?? join(ROOT, '.data'), 'benchmarks');
/**
 * The inference tier that measurements start; BENCH_TIER names the `main.js` of another build, to compare two. Measurements
 * that import files of the tier always use the build of this tree.
 */
export const INFERENCE_MAIN = process.env.BENCH_TIER ?? join(ROOT, 'inference', 'dist', 'main.js');
/** A file of the built gateway. @param {string[]} path */
export const gatewayFile = (...path) => join(ROOT, 'gateway', 'dist', ...path);
