/** What clients feel of worker threads that die, or are replaced all the time. */
import { fileURLToPath } from 'node:url';
import { rehearsals } from './rehearsals.mjs';

const preload = fileURLToPath(new URL('dying-worker.cjs', import.meta.url));

/** A few seconds of work: by default a worker is never replaced for its age. */
const MAX_TASKS = '20';

export const workerFaults = rehearsals({
  name: 'faults/workers',
  answers: 'What do clients feel of worker threads of the inference tier that die or are replaced?',
  remark: `One process of two workers, each replaced after ${MAX_TASKS} batches; where it dies, all threads of the process die of an uncaught error, every two seconds.`,
  setting: () => ({
    inferenceEnv: {
      INFERENCE_WORKERS: '2',
      INFERENCE_WORKER_MAX_TASKS: MAX_TASKS,
      NODE_OPTIONS: `--require=${preload}`,
    },
  }),
  faults: ({ inference: [tier] }) => {
    let killing = /** @type {NodeJS.Timeout | undefined} */ (undefined);
    const kill = () => process.kill(tier.running.pid, 'SIGUSR2');
    return [
      { name: 'replaced after their tasks', begin: () => {}, end: () => {}, withoutRetry: true },
      // What the first ones leave is partly the room that two generations needed at once: these find it there.
      {
        name: 'replaced after their tasks, again and for longer',
        begin: () => {},
        end: () => {},
        faultMs: 40_000,
        withoutRetry: true,
      },
      { name: 'killed once', begin: kill, end: () => {} },
      {
        name: 'killed every two seconds',
        begin: () => {
          killing = setInterval(kill, 2_000);
        },
        end: () => clearInterval(killing),
      },
    ];
  },
});
