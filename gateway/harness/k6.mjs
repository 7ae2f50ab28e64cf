// Runs scripts of k6.

import { join } from 'node:path';
import { temporaryFolder } from './folders.mjs';
import { runToEnd } from './process.mjs';

/**
 * With hundreds of virtual users, k6's garbage collector takes much CPU time from the service on the same machine: k6
 * then reported 100 ms and more for tens of requests. These settings make collections rare and limit the heap.
 */
const RARE_COLLECTION = { GOGC: '1000', GOMEMLIMIT: '4GiB' };
/** k6's exit code for a crossed threshold, which is a result and not a failure. */
const THRESHOLDS_CROSSED = 99;

/**
 * Runs a k6 script.
 * @param {string} k6 path of the program, from `installTool(K6, ...)`
 * @param {string} script
 * @param {{ env?: Readonly<NodeJS.ProcessEnv>, onStart?: (pid: number) => void }} [options]
 * @returns {Promise<{ points: string, summary: string, thresholdsHeld: boolean }>} paths of k6's JSON output, one line
 * per
 *   sample, and of its summary
 * @throws Error with k6's last output when the script itself fails
 */
export async function runK6(k6, script, { env = {}, onStart } = {}) {
  const folder = temporaryFolder();
  const [points, summary] = [join(folder, 'points.json'), join(folder, 'summary.json')];
  const args = [
    'run',
    '--quiet',
    '--no-color',
    '--out',
    `json=${points}`,
    '--summary-export',
    summary,
    script,
  ];
  const { code, stderr } = await runToEnd(k6, args, {
    name: 'k6',
    env: { ...RARE_COLLECTION, K6_NO_USAGE_REPORT: 'true', ...env },
    ...(onStart && { onStart: ({ pid }) => onStart(pid) }),
  });
  if (code !== 0 && code !== THRESHOLDS_CROSSED)
    throw new Error(`k6 ended with exit code ${code}:\n${stderr.slice(-4096)}`);
  return { points, summary, thresholdsHeld: code === 0 };
}
