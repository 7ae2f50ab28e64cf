/** What clients feel of an inference tier that dies, hangs, is slow or cannot be reached, whole and in part. */
import { rehearsals } from './rehearsals.mjs';

export const inferenceFaults = rehearsals({
  name: 'faults/inference',
  answers: 'What do clients feel of an inference tier that dies, hangs, is slow or cannot be reached?',
  remark:
    'Two processes of one worker each behind a TCP balancer that goes by readiness. Slow: 200 ms for each way, 2 MB/s.',
  setting: () => ({ inferences: 2 }),
  faults: ({ inference, ways }) => {
    const [one] = inference;
    const way = ways.inference;
    const heal = () => way.heal();
    /** @param {(part: import('../resilience/parts.mjs').Part) => unknown} act */
    const each = (act) => () => Promise.all(inference.map(act));
    let cutting = /** @type {NodeJS.Timeout | undefined} */ (undefined);
    return [
      { name: 'one of two killed', begin: () => one.running.kill(), end: () => one.beginUntilUp() },
      { name: 'one of two frozen', begin: () => one.running.freeze(), end: () => one.running.thaw() },
      {
        name: 'both killed',
        begin: each((part) => part.running.kill()),
        end: each((part) => part.beginUntilUp()),
      },
      {
        name: 'both frozen',
        begin: each((part) => part.running.freeze()),
        end: each((part) => part.running.thaw()),
      },
      { name: 'slow', begin: () => way.slow({ latencyMs: 200, bytesPerSecond: 2e6 }), end: heal },
      { name: 'bytes held', begin: () => way.hold(), end: heal },
      { name: 'partitioned', begin: () => way.partition(), end: heal },
      { name: 'gone without a word', begin: () => way.halfOpen(), end: heal },
      {
        name: 'connections reset, each second',
        begin: () => {
          cutting = setInterval(() => way.cut(), 1_000);
        },
        end: () => clearInterval(cutting),
      },
      { name: 'connections refused', begin: () => way.refuse(), end: heal },
    ];
  },
});
