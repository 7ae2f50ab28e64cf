/**
 * Notices that a person does not get on: the same prompt has stood for a while, whatever the guidance was. The page then offers
 * what helps.
 */
import type { Guidance } from './wire';

/** Well below the 12 s after which people give up. */
export const PATIENCE_MS = 10_000;
/** The most that a response adds to the time of a prompt. An outage says nothing about the person. */
const LONGEST_GAP_MS = 2_000;

/**
 * Reports the guidance that most frames of a prompt got, each time that the prompt has stood for `PATIENCE_MS`. Only time in
 * which frames get responses counts.
 * @param now milliseconds of a monotonic clock
 * @returns takes a name of the prompt and the guidance of each frame
 */
export function watchPatience(
  onStuck: (guidance: Guidance) => void,
  now = () => performance.now(),
): (prompt: string, guidance: Guidance) => void {
  let current: string | undefined;
  let counts = new Map<Guidance, number>();
  let stoodMs = 0;
  let seenAt = now();

  return (prompt, guidance) => {
    const before = seenAt;
    seenAt = now();
    if (prompt !== current) {
      current = prompt;
      counts = new Map();
      stoodMs = 0;
    } else stoodMs += Math.min(seenAt - before, LONGEST_GAP_MS);
    counts.set(guidance, (counts.get(guidance) ?? 0) + 1);
    if (stoodMs < PATIENCE_MS) return;
    const mostFrequent = guidanceOf(counts);
    counts = new Map();
    stoodMs = 0;
    onStuck(mostFrequent);
  };
}

/** The first, if several are equally frequent. */
function guidanceOf(counts: ReadonlyMap<Guidance, number>): Guidance {
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first ? first[0] : 'ok';
}
