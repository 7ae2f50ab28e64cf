/**
 * The whole way of a request in virtual time: client, gateway, Redis (admission), gateway, inference tier, gateway,
 * Redis (settlement), gateway, client. Every process is an event loop with a queue of its own; which of them share
 * cores is up to the layout. The times are measured ones (`capacity/service-times`), none is fitted to the outcome.
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
 * @property {{ loopMs: number, besideMs: number }} gateway its event loop, and what runs beside (garbage collection)
 * @property {number} redisMs
 * @property {number} tierMs the inference tier's main thread
 * @property {number} clientMs what sends the load, where it shares the machine
 * @property {readonly string[]} parts operations of the tier that the request is made of
 */

/**
 * @typedef {object} Layout
 * @property {number} cores of each machine
 * @property {number} sharedSpeed
 * @property {boolean} together whether everything, the load included, shares one machine; else the inference tier has
 *   one for itself
 * @property {number} workers
 * @property {number} tasksPerWorker
 * @property {number} decodeThreads
 * @property {import('./inference-tier.mjs').BatchPolicy} policy
 * @property {number} deadlineMs
 */

/**
 * @typedef {object} Run
 * @property {Layout} layout
 * @property {Times} times
 * @property {Readonly<Record<string, import('./inference-tier.mjs').Work>>} work of the tier's operations
 * @property {readonly number[]} factors how heavy pictures are against their mean; one is drawn for each request
 * @property {number} perSecond
 * @property {import('./arrivals.mjs').Pattern} pattern
 * @property {number} seconds in which requests come
 * @property {number} warmUpSeconds of them, at the beginning, which do not count in times and throughput
 * @property {number} seed
 */

/** @param {Run} run */
export async function simulate(run) {
  const { layout, perSecond, pattern, seconds, warmUpSeconds, seed } = run;
  const timeline = new Timeline();
  const random = randomFrom(seed);
  const path = createPath(timeline, run, random);
  const next = arrivals({ pattern, perSecond, random });
  const tally = { arrived: 0, answered: 0, refused: 0, inSystem: 0, queued: 0, looks: 0 };
  /** @type {number[]} */
  const milliseconds = [];
  let answeredInTime = 0;
  const [warmUp, end] = [warmUpSeconds * 1e3, seconds * 1e3];
  const arrive = () => {
    const begin = timeline.now();
    tally.arrived += 1;
    tally.inSystem += 1;
    if (begin >= warmUp) {
      tally.queued += path.queued();
      tally.looks += 1;
    }
    path.request((answered, sent) => {
      tally.inSystem -= 1;
      tally[answered ? 'answered' : 'refused'] += 1;
      if (!answered) return;
      if (begin >= warmUp) milliseconds.push(timeline.now() - sent);
      if (timeline.now() >= warmUp && timeline.now() <= end) answeredInTime += 1;
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
    answeredPerSecond: answeredInTime / (seconds - warmUpSeconds),
    refusedShare: tally.arrived > 0 ? tally.refused / tally.arrived : 0,
    p50Ms: share(50),
    p95Ms: share(95),
    p99Ms: share(99),
    queueLength: tally.looks > 0 ? tally.queued / tally.looks : 0,
    /** Cores that the inference tier's machine had in use, of those it has. */
    coresInUse: path.machine.busyMs / timeline.now(),
    cores: layout.cores,
  };
}

/** Parts of the gateway's time: up to admission, on to the inference tier, its answer, settlement and its own. */
const GATEWAY_PARTS = 4;

/** @param {Timeline} timeline @param {Run} run @param {import('./arrivals.mjs').Random} random */
function createPath(timeline, { layout, times, work, factors }, random) {
  const { cores, sharedSpeed, together } = layout;
  const machine = new Machine(timeline, { cores, sharedSpeed });
  // Elsewhere: as many cores as there are threads, so that nobody there waits for one.
  const elsewhere = together ? machine : new Machine(timeline, { cores: 8 });
  const client = new Threads(elsewhere, { count: cores });
  const gateway = new Threads(elsewhere);
  const beside = new Threads(elsewhere, { count: cores });
  const redis = new Threads(elsewhere);
  const main = new Threads(machine);
  const tier = createTier({ timeline, machine, ...layout, operations: work });
  const gatewayMs = times.gateway.loopMs / GATEWAY_PARTS;

  /** @param {(answered: boolean, sent: number) => void} done */
  function request(done) {
    const item = { factor: random.pick(factors) };
    let sent = 0;
    /** @param {(answered: boolean) => void} answer */
    const work = (answer) => {
      const deadlineMs = layout.deadlineMs - (timeline.now() - sent);
      Promise.allSettled(times.parts.map((part) => tier.submit(part, item, deadlineMs))).then((results) =>
        answer(results.every(({ status }) => status === 'fulfilled')),
      );
    };
    const back = (/** @type {boolean} */ answered) => {
      beside.run(times.gateway.besideMs);
      const way = [
        { threads: main, workMs: times.tierMs / 2 },
        { threads: gateway, workMs: gatewayMs },
        { threads: redis, workMs: times.redisMs / 2 },
        { threads: gateway, workMs: gatewayMs },
      ];
      inTurn(way, () => client.run(times.clientMs / 2, () => done(answered, sent)));
    };
    client.run(times.clientMs / 2, () => {
      sent = timeline.now();
      const way = [
        { threads: gateway, workMs: gatewayMs },
        { threads: redis, workMs: times.redisMs / 2 },
        { threads: gateway, workMs: gatewayMs },
        { threads: main, workMs: times.tierMs / 2 },
      ];
      inTurn(way, () => work(back));
    });
  }
  return { request, machine, queued: () => tier.queued };
}

/** @param {readonly { threads: Threads, workMs: number }[]} way @param {() => void} done */
function inTurn([first, ...rest], done) {
  if (!first) return done();
  first.threads.run(first.workMs, () => inTurn(rest, done));
}
