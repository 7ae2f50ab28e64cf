/** Processor time of a request on its path, by process and thread: alone, and with all cores busy. */
import { readMetrics, unlimited, withService } from '../../deploy/local/harness/index.mjs';
import { Client, framesJob, sendFor } from '../lib/client.mjs';
import { mean, percentile, spread } from '../lib/stats.mjs';
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
  const middle = (of) => spread(taken.map(of)).median;
  const roles = Object.keys(taken[0].modelMs);
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
    modelMs: Object.fromEntries(roles.map((role) => [role, middle(({ modelMs }) => modelMs[role] ?? 0)])),
    totalMs: spread(taken.map(totalOf)),
    factors: quantiles(taken.flatMap(({ milliseconds }) => milliseconds)),
  };
}

async function countRound(stack, jobs, requests) {
  const stop = count(stack);
  const models = await countModelSeconds(stack.tierUrl);
  const milliseconds = await oneByOne(stack.client, jobs, requests);
  const seconds = await models();
  const modelMs = Object.fromEntries(
    Object.entries(seconds).map(([role, value]) => [role, (1e3 * value) / requests]),
  );
  return { ...stop(requests), modelMs, milliseconds };
}

/** Seconds in models since the call, by role, as the tier reports them. @param {string} url */
async function countModelSeconds(url) {
  const read = async () => {
    const { text } = await readMetrics(`${url}/metrics`);
    const series = text.matchAll(/^presenza_inference_model_seconds_total\{model="(\w+)"\} (\S+)$/gm);
    return new Map([...series].map(([, role, value]) => [role, Number(value)]));
  };
  const before = await read();
  return async () => {
    const since = [...(await read())].map(([role, value]) => [role, value - (before.get(role) ?? 0)]);
    return Object.fromEntries(since.filter(([, seconds]) => Number(seconds) > 0));
  };
}

/** @returns {Promise<number[]>} milliseconds */
async function oneByOne(client, jobs, requests) {
  const milliseconds = [];
  for (let i = 0; i < requests; i++) milliseconds.push((await client.request(jobs[i % jobs.length])).ms);
  return milliseconds;
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
  const middle = (part) => spread(taken.map((one) => one[part].totalMs)).median;
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

/** Twenty values with mean 1 that represent all: how much more or less a request costs. @param {number[]} values */
function quantiles(values) {
  const twenty = Array.from({ length: 20 }, (_, i) => percentile(values, 2.5 + 5 * i));
  return twenty.map((value) => value / mean(twenty));
}

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
