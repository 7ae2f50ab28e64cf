/** Processor time of a request on its path, by process and thread: alone, and with all cores busy. */
import { unlimited, withService } from '../../gateway/harness/index.mjs';
import { Client, framesJob, sendFor } from '../lib/client.mjs';
import { mean, spread } from '../lib/stats.mjs';
import { countProcessorTime } from './processor-time.mjs';
import { jobsOf, names } from './requests.mjs';

/** @typedef {{ pids: { gateway: number, redis: number, tier: number }, tierUrl: string, apiKey: string, client: Client }} Stack */

/**
 * Runs `use` on a warm service. A cold gateway takes several times the CPU time of a warm one, and compilation would count
 * as work of the requests.
 * @template T
 * @param {{ workers: number, images: Buffer[], warmUpSeconds: number }} options
 * @param {(stack: Stack) => Promise<T>} use
 * @returns {Promise<T>}
 */
export function withStack({ workers, images, warmUpSeconds }, use) {
  const production = { NODE_ENV: 'production' };
  const options = {
    gatewayEnv: production,
    inferenceEnv: { ...production, INFERENCE_WORKERS: String(workers) },
  };
  return withService(options, async (service) => {
    const { apiKey } = await service.createAccount({ overrides: unlimited });
    const [gateway, tier] = [service.gateways[0].running, service.inference[0].running];
    const pids = { gateway: gateway.pid, redis: service.redis.running.pid, tier: tier.pid };
    const client = new Client(service.url);
    try {
      const jobs = names.flatMap((name) => jobsOf(name, images, apiKey));
      await sendFor(client, { jobs, concurrency: 8, seconds: warmUpSeconds });
      return await use({ pids, tierUrl: tier.url, apiKey, client });
    } finally {
      client.close();
    }
  });
}

/** One request after the other, so that nothing competes for a core. @param {Stack} stack */
export async function measureAlone(stack, name, { images, rounds, requests }) {
  const jobs = jobsOf(name, images, stack.apiKey);
  await oneByOne(stack.client, jobs, requests);
  const taken = [];
  for (let round = 0; round < rounds; round++) taken.push(await countRound(stack, jobs, requests));
  const middle = (timeOf) => spread(taken.map(timeOf)).median;
  return {
    bodyBytes: Math.round(mean(jobs.map(({ body }) => body.length))),
    gateway: {
      loopMs: middle(({ gateway }) => gateway.mainMs),
      besideMs: middle(({ gateway }) => Math.max(0, gateway.totalMs - gateway.mainMs)),
    },
    redisMs: middle(({ redis }) => redis.totalMs),
    tier: {
      mainMs: middle(({ tier }) => tier.mainMs),
      workerMs: middle(({ tier }) => tier.largestMs),
      // Short-lived threads of libuv and libvips, and the collection of garbage.
      decodeMs: middle(({ tier }) => tier.totalMs - tier.mainMs - tier.largestMs),
    },
    totalMs: spread(taken.map(totalOf)),
  };
}

async function countRound(stack, jobs, requests) {
  const stop = count(stack);
  await oneByOne(stack.client, jobs, requests);
  return stop(requests);
}

async function oneByOne(client, jobs, requests) {
  for (let i = 0; i < requests; i++) await client.request(jobs[i % jobs.length]);
}

/** Twice as many requests at once as workers: every core is busy, and no request waits for long. @param {Stack} stack */
export async function measureTogether(stack, name, { images, rounds, seconds, workers }) {
  const load = { jobs: jobsOf(name, images, stack.apiKey), concurrency: 2 * workers, seconds };
  await sendFor(stack.client, { ...load, seconds: 1 });
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    const stop = count(stack);
    const { results } = await sendFor(stack.client, load);
    taken.push(stop(results.length));
  }
  const middle = (part) => spread(taken.map((counted) => counted[part].totalMs)).median;
  return {
    gatewayMs: middle('gateway'),
    tierMs: middle('tier'),
    totalMs: spread(taken.map(totalOf)),
  };
}

/** Starts to count all processes. @param {Stack} stack @returns {(requests: number) => any} times of one request by process */
function count({ pids }) {
  const counting = Object.entries(pids).map(([part, pid]) => ({ part, stop: countProcessorTime(pid) }));
  return (requests) =>
    Object.fromEntries(
      counting.map(({ part, stop }) => [
        part,
        Object.fromEntries(Object.entries(stop()).map(([key, ms]) => [key, ms / requests])),
      ]),
    );
}

const totalOf = ({ gateway, redis, tier }) => gateway.totalMs + redis.totalMs + tier.totalMs;

/** Processor time of one frame of a capture in the inference tier. @param {Stack} stack */
export async function measureFrame({ pids, tierUrl }, images, requests) {
  const client = new Client(tierUrl);
  const jobs = images.map((image) => framesJob([image, image], [0, 200]));
  try {
    await oneByOne(client, jobs, requests);
    const stop = countProcessorTime(pids.tier);
    await oneByOne(client, jobs, requests);
    return { tierMs: stop().totalMs / requests / 2 };
  } finally {
    client.close();
  }
}
