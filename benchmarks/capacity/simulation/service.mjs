/**
 * The path of a request in virtual time: client, gateway, Redis (admission), gateway, inference tier, gateway, Redis
 * (settlement), gateway, client. Every process is an event loop with its own queue; the layout decides which of them
 * share cores. All times are measured (`capacity/service-times`), none is fitted to the result.
 */
import { randomFrom } from '../../lib/random.mjs';
import { percentile } from '../../lib/stats.mjs';
import { arrivals } from './arrivals.mjs';
import { createTier } from './inference-tier.mjs';
import { Machine, Threads } from './machine.mjs';
import { Timeline } from './timeline.mjs';

/**
 * Processor time of one request of an operation, in milliseconds of a core that is busy alone.
 * @typedef {object} Times
 * @property {{ loopMs: number, besideMs: number }} gateway its event loop, and threads beside it (garbage collection)
 * @property {number} redisMs
 * @property {number} tierMs the inference tier's main thread
 * @property {number} clientMs of the load generator, where it shares the machine
 * @property {readonly string[]} parts operations of the tier that the request is made of
 */

/**
 * @typedef {object} Layout
 * @property {number} cores of each machine
 * @property {number} sharedSpeed
 * @property {boolean} together whether everything shares one machine, with the load generator; otherwise the inference
 *   tier has a machine of its own
 * @property {number} workers
 * @property {number} tasksPerWorker
 * @property {number} decodeThreads
 * @property {number} maxQueue
 * @property {number} deadlineMs
 */

/**
 * @typedef {object} Run
 * @property {Layout} layout
 * @property {Times} times
 * @property {Readonly<Record<string, import('./inference-tier.mjs').Work>>} work of the tier's operations
 * @property {readonly number[]} factors costs of images relative to their mean; each request draws one
 * @property {number} perSecond
 * @property {import('./arrivals.mjs').Pattern} pattern
 * @property {number} seconds of arrivals
 * @property {number} warmUpSeconds at their beginning, which do not count in latency and throughput
 * @property {number} seed
 */

/** @param {Run} run */
export async function simulate(run) {
  const { perSecond, pattern, seconds, warmUpSeconds, seed } = run;
  const timeline = new Timeline();
  const random = randomFrom(seed);
  const path = createPath(timeline, run, random);
  const next = arrivals({ pattern, perSecond, random });
  const tally = { arrived: 0, served: 0, refused: 0, inSystem: 0 };
  /** @type {number[]} */
  const milliseconds = [];
  let servedInTime = 0;
  const [warmUp, end] = [warmUpSeconds * 1e3, seconds * 1e3];
  const arrive = () => {
    const begin = timeline.now();
    tally.arrived += 1;
    tally.inSystem += 1;
    path.request((served, sent) => {
      tally.inSystem -= 1;
      tally[served ? 'served' : 'refused'] += 1;
      if (!served) return;
      if (begin >= warmUp) milliseconds.push(timeline.now() - sent);
      if (timeline.now() >= warmUp && timeline.now() <= end) servedInTime += 1;
    });
    const wait = next();
    if (timeline.now() + wait < end) timeline.setTimer(arrive, wait);
  };
  timeline.setTimer(arrive, next());
  await timeline.run();
  const share = (/** @type {number} */ percent) =>
    milliseconds.length > 0 ? percentile(milliseconds, percent) : Number.POSITIVE_INFINITY;
  return {
    ...tally,
    servedPerSecond: servedInTime / (seconds - warmUpSeconds),
    refusedShare: tally.arrived > 0 ? tally.refused / tally.arrived : 0,
    p50Ms: share(50),
    p95Ms: share(95),
    p99Ms: share(99),
    /** Average use of the inference tier's machine. */
    coresInUse: path.machine.busyMs / timeline.now(),
  };
}

/** Parts of the gateway's time: up to admission, to the inference tier, from there to settlement, and to the client. */
const GATEWAY_PARTS = 4;

/** @param {Timeline} timeline @param {Run} run @param {import('./arrivals.mjs').Random} random */
function createPath(timeline, { layout, times, work, factors }, random) {
  const { cores, sharedSpeed, together } = layout;
  const machine = new Machine(timeline, { cores, sharedSpeed });
  // With as many cores as threads, no thread waits.
  const elsewhere = together ? machine : new Machine(timeline, { cores: 8 });
  const client = new Threads(elsewhere, { count: cores });
  const gateway = new Threads(elsewhere);
  const beside = new Threads(elsewhere, { count: cores });
  const redis = new Threads(elsewhere);
  const main = new Threads(machine);
  const tier = createTier({ timeline, machine, ...layout, operations: work });
  const gatewayMs = times.gateway.loopMs / GATEWAY_PARTS;

  /** From the client to the inference tier; a response takes it in reverse. */
  const path = [
    { threads: gateway, workMs: gatewayMs },
    { threads: redis, workMs: times.redisMs / 2 },
    { threads: gateway, workMs: gatewayMs },
    { threads: main, workMs: times.tierMs / 2 },
  ];

  /** @param {(served: boolean, sent: number) => void} done */
  function request(done) {
    const item = { factor: random.pick(factors) };
    let sent = 0;
    /** @param {(served: boolean) => void} respond */
    const work = (respond) => {
      const deadlineMs = layout.deadlineMs - (timeline.now() - sent);
      Promise.allSettled(times.parts.map((part) => tier.submit(part, item, deadlineMs))).then((results) =>
        respond(results.every(({ status }) => status === 'fulfilled')),
      );
    };
    const back = (/** @type {boolean} */ served) => {
      beside.run(times.gateway.besideMs);
      inTurn([...path].reverse(), () => client.run(times.clientMs / 2, () => done(served, sent)));
    };
    client.run(times.clientMs / 2, () => {
      sent = timeline.now();
      inTurn(path, () => work(back));
    });
  }
  return { request, machine };
}

/** @param {readonly { threads: Threads, workMs: number }[]} path @param {() => void} done */
function inTurn([first, ...rest], done) {
  if (!first) return done();
  first.threads.run(first.workMs, () => inTurn(rest, done));
}
