/** What a request costs on its way: processor time by process and thread, alone and with all cores busy. */
import { Client, framesJob, saturate } from '../lib/client.mjs';
import { mean, percentile, spread } from '../lib/stats.mjs';
import { countProcessorTime } from './processor-time.mjs';
import { jobsOf, operations } from './requests.mjs';
import { countModelSeconds } from './tier-metrics.mjs';

/** @typedef {import('./requests.mjs').OperationName} OperationName */
/** @typedef {import('../lib/client.mjs').Job} Job */
/** @typedef {import('../lib/stack.mjs').Stack} Stack */

const names = /** @type {OperationName[]} */ (Object.keys(operations));

/**
 * What is compiled while it is measured would count as work of the requests: a gateway that begins takes several times
 * the processor time of one that has run for a while.
 * @param {Stack} stack @param {Buffer[]} pictures @param {number} seconds
 */
export async function warmUp(stack, pictures, seconds) {
  const client = new Client(stack.gateway.url);
  const jobs = names.flatMap((name) => jobsOf(name, pictures, stack.apiKey));
  try {
    await saturate(client, { jobs, concurrency: 8, seconds });
  } finally {
    client.close();
  }
}

/**
 * One request after the other, so that nothing competes for a core.
 * @param {Stack} stack
 * @param {OperationName} name
 * @param {{ pictures: Buffer[], rounds: number, requests: number }} options
 */
export async function measureAlone(stack, name, { pictures, rounds, requests }) {
  const client = new Client(stack.gateway.url);
  const jobs = jobsOf(name, pictures, stack.apiKey);
  /** @type {Awaited<ReturnType<typeof countRound>>[]} */
  const taken = [];
  try {
    await oneByOne(client, jobs, requests);
    for (let round = 0; round < rounds; round++) taken.push(await countRound(stack, client, jobs, requests));
  } finally {
    client.close();
  }
  /** @param {(one: (typeof taken)[number]) => number} of */
  const middle = (of) => spread(taken.map(of)).median;
  const roles = Object.keys(taken[0].modelMs);
  return {
    bodyBytes: Math.round(mean(jobs.map(({ body }) => body.length))),
    gateway: { loopMs: middle(({ gateway }) => gateway.mainMs), besideMs: middle(besideOf) },
    redisMs: middle(({ redis }) => redis.totalMs),
    tier: {
      mainMs: middle(({ tier }) => tier.mainMs),
      workerMs: middle(({ tier }) => tier.largestMs),
      // Threads of libuv and of libvips, which begin and end; what collects garbage is among them.
      decodeMs: middle(({ tier }) => tier.totalMs - tier.mainMs - tier.largestMs),
    },
    modelMs: Object.fromEntries(roles.map((role) => [role, middle(({ modelMs }) => modelMs[role] ?? 0)])),
    totalMs: spread(taken.map(totalOf)),
    latencyMs: spread(taken.map(({ milliseconds }) => percentile(milliseconds, 50))),
    factors: quantiles(taken.flatMap(({ milliseconds }) => milliseconds)),
  };
}

/** @param {Stack} stack @param {Client} client @param {Job[]} jobs @param {number} requests */
async function countRound(stack, client, jobs, requests) {
  const stop = count(stack);
  const models = await countModelSeconds(stack.tier.url);
  const milliseconds = await oneByOne(client, jobs, requests);
  const seconds = await models();
  const modelMs = Object.fromEntries(
    Object.entries(seconds).map(([role, value]) => [role, (1e3 * value) / requests]),
  );
  return { ...stop(requests), modelMs, milliseconds };
}

/** @param {Client} client @param {Job[]} jobs @param {number} requests @returns {Promise<number[]>} milliseconds */
async function oneByOne(client, jobs, requests) {
  const milliseconds = [];
  for (let i = 0; i < requests; i++) milliseconds.push((await client.ask(jobs[i % jobs.length])).ms);
  return milliseconds;
}

/**
 * Twice as many requests at once as there are workers: every core is busy, and no request waits for long.
 * @param {Stack} stack
 * @param {OperationName} name
 * @param {{ pictures: Buffer[], rounds: number, seconds: number, workers: number }} options
 */
export async function measureTogether(stack, name, { pictures, rounds, seconds, workers }) {
  const client = new Client(stack.gateway.url);
  const load = { jobs: jobsOf(name, pictures, stack.apiKey), concurrency: 2 * workers, seconds };
  const taken = [];
  try {
    await saturate(client, { ...load, seconds: 1 });
    for (let round = 0; round < rounds; round++) {
      const stop = count(stack);
      const { requests } = await saturate(client, load);
      taken.push(stop(requests));
    }
  } finally {
    client.close();
  }
  return {
    gatewayMs: spread(taken.map(({ gateway }) => gateway.totalMs)).median,
    redisMs: spread(taken.map(({ redis }) => redis.totalMs)).median,
    tierMs: spread(taken.map(({ tier }) => tier.totalMs)).median,
    totalMs: spread(taken.map(totalOf)),
  };
}

/** @param {Stack} stack @returns what a request took, once it is known how many there were */
function count({ gateway, redis, tier }) {
  const counters = { gateway, redis, tier };
  const counting = Object.entries(counters).map(([part, { pid }]) => ({
    part,
    stop: countProcessorTime(pid),
  }));
  return (/** @type {number} */ requests) => {
    const parts = counting.map(({ part, stop }) => {
      const taken = Object.entries(stop()).map(([key, ms]) => [key, ms / requests]);
      return [part, Object.fromEntries(taken)];
    });
    return /** @type {Record<keyof typeof counters, ReturnType<ReturnType<typeof countProcessorTime>>>} */ (
      Object.fromEntries(parts)
    );
  };
}

/** @typedef {ReturnType<ReturnType<typeof count>>} Counted */

/** @param {Counted} taken */
const totalOf = ({ gateway, redis, tier }) => gateway.totalMs + redis.totalMs + tier.totalMs;
/** @param {Counted} taken */
const besideOf = ({ gateway }) => Math.max(0, gateway.totalMs - gateway.mainMs);

/** Twenty values that stand for all, their mean 1: how much heavier or lighter a request is. @param {number[]} values */
function quantiles(values) {
  const twenty = Array.from({ length: 20 }, (_, i) => percentile(values, 2.5 + 5 * i));
  const middle = mean(twenty);
  return twenty.map((value) => value / middle);
}

/** @param {Stack} stack @param {Buffer[]} pictures @param {number} requests */
export async function measureFrame({ tier }, pictures, requests) {
  const client = new Client(tier.url);
  const jobs = pictures.map((picture) => framesJob([picture, picture], [0, 200]));
  try {
    await oneByOne(client, jobs, requests);
    const stop = countProcessorTime(tier.pid);
    await oneByOne(client, jobs, requests);
    return { tierMs: stop().totalMs / requests / 2 };
  } finally {
    client.close();
  }
}
