/** k6 is a Go program: it is taken from PATH, else built once into `.data/bin` where Go is at hand. */
import { join } from 'node:path';
import { progress } from '../../deploy/local/cli/progress.mjs';
import { Stop } from '../../deploy/local/cli/stop.mjs';
import { bringTool, K6 } from '../../deploy/local/setup/tools.mjs';
import { ROOT } from './paths.mjs';
import { Skip } from './skip.mjs';

/** What the local start keeps its state in. */
export const LOCAL_DATA = process.env.PRESENZA_DATA ?? join(ROOT, '.data');

/**
 * @returns {Promise<string>} path of a k6 that runs
 * @throws Skip
 */
export async function findK6() {
  try {
    return await bringTool(K6, { step: progress('k6'), abort: new AbortController().signal });
  } catch (error) {
    if (error instanceof Stop) throw new Skip(error.message);
    throw error;
  }
}
