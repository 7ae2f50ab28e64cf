import { readFileSync } from 'node:fs';
import { breachedIn } from '../services/identity/passwords';

/** A million passwords take about 100 MB of memory. */
const most = 1_000_000;

/**
 * Reads passwords from breaches, one in each line.
 * @param file empty for none
 * @throws Error, a sentence for the operator
 */
export function readPasswordList(file: string): ReadonlySet<string> {
  if (file === '') return new Set();
  const breached = breachedIn(readFileSync(file, 'utf8').split(/\r?\n/));
  if (breached.size > most) throw new Error(`CONSOLE_PASSWORD_LIST has more than ${most} long passwords`);
  return breached;
}
