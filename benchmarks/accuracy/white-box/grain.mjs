/** Noise that is quick to add to whole frames. */
import { randomFrom } from '../random.cjs';

const TABLE = (() => {
  const { gaussian } = randomFrom(11);
  return Float32Array.from({ length: 1 << 16 }, gaussian);
})();

/**
 * Standard normal noise for the values of an image. Each call begins at another place of one table, because new numbers for
 * each value take longer than everything else.
 * @param {{ next(): number }} random
 * @returns {(i: number) => number}
 */
export function grain(random) {
  const from = Math.floor(random.next() * TABLE.length);
  return (i) => TABLE[(from + i) & (TABLE.length - 1)];
}
