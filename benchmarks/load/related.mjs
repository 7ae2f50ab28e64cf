/** Bars of other measurements that may stand beside a result: same machine, same state of the product. */
import { quantity } from '../lib/report.mjs';
import {
  describeCommit,
  describeMachine,
  isSameMachine,
  isSameProduct,
  readResults,
} from '../lib/results.mjs';

/** The raw limit, and what a user would pick instead. */
const RELATED = ['speed/http-path', 'peers/throughput'];

/** @returns {[string, string, string, string][]} measurement, what, seen, commit */
export function readRelated() {
  const machine = describeMachine();
  const commit = describeCommit();
  return readResults()
    .filter(({ name, variant }) => RELATED.includes(name) && !variant)
    .filter((result) => isSameMachine(result.machine, machine) && isSameProduct(result.commit, commit))
    .flatMap(({ name, bars, commit: measured }) =>
      bars.map((bar) => /** @type {const} */ ([name, bar.what, quantity(bar.value, bar.unit), measured])),
    )
    .map((row) => [...row]);
}
