/** The arithmetic of a plan: pure functions of the data of capacity/service-times and of the rate of one pod. */
import { operations } from './requests.mjs';

/** @typedef {import('./requests.mjs').OperationName} OperationName */

const GB = 1e9;
const SECONDS_PER_HOUR = 3_600;
const SECONDS_PER_DAY = 24 * SECONDS_PER_HOUR;
/** The days that the ledger is kept (gateway/src/stores/meter-scripts.ts). */
const LEDGER_DAYS = 400;
/** Share of Redis's memory that may be in use, because a rewrite of its log temporarily takes more. */
const REDIS_MEMORY_USE = 0.75;

/** Bytes of a shard that the ledger may fill. @param {number} redisMemoryGb */
const ledgerRoom = (redisMemoryGb) => REDIS_MEMORY_USE * redisMemoryGb * GB;

/** Bytes of the whole ledger for one unit a second. */
const ledgerBytes = ({ redis }) => redis.bytesPerUnit * LEDGER_DAYS * SECONDS_PER_DAY;

/**
 * @param {OperationName} operation
 * @param {any} times
 * @param {{ imagesPerSecond: number, pod: { perSecond: number }, threadUse: number, redisMemoryGb: number }} options
 */
export function amounts(operation, times, { imagesPerSecond, pod, threadUse, redisMemoryGb }) {
  const { together, bodyBytes } = times.operations[operation];
  const requestsPerSecond = imagesPerSecond / operations[operation].images;
  const pods = Math.ceil(requestsPerSecond / pod.perSecond) + 1;
  return {
    imagesPerSecond,
    requestsPerSecond,
    pods,
    podCores: pods * times.workers,
    podGiB: (pods * times.memory.tierMiB) / 1024,
    gateways: Math.ceil((requestsPerSecond * together.gatewayMs) / 1e3 / threadUse) + 1,
    shards: Math.ceil(requestsPerSecond / times.redis.perCore / threadUse),
    ledgerShards: Math.ceil((requestsPerSecond * ledgerBytes(times)) / ledgerRoom(redisMemoryGb)),
    inGbps: (requestsPerSecond * bodyBytes * 8) / 1e9,
    ledgerGbPerDay: (requestsPerSecond * times.redis.bytesPerUnit * SECONDS_PER_DAY) / GB,
  };
}

/**
 * Hours of pods and cores for a million images, without spare pods.
 * @param {OperationName} operation
 * @param {any} times
 * @param {{ pod: { perSecond: number }, threadUse: number }} options
 */
export function perMillionImages(operation, times, { pod, threadUse }) {
  const requests = 1e6 / operations[operation].images;
  const podHours = requests / pod.perSecond / SECONDS_PER_HOUR;
  const gatewayHours =
    (requests * times.operations[operation].together.gatewayMs) / threadUse / 1e3 / SECONDS_PER_HOUR;
  const redisHours = requests / times.redis.perCore / threadUse / SECONDS_PER_HOUR;
  return { podHours, coreHours: podHours * times.workers + gatewayHours + redisHours };
}

/**
 * The images a second that one of each resource carries, lowest first.
 * @param {OperationName} operation
 * @param {any} times
 * @param {{ pod: { perSecond: number }, threadUse: number, nicGbps: number, redisMemoryGb: number }} options
 * @returns {{ id: string, what: string, imagesPerSecond: number }[]}
 */
export function firstLimits(operation, times, { pod, threadUse, nicGbps, redisMemoryGb }) {
  const { images } = operations[operation];
  const { together, tier, bodyBytes } = times.operations[operation];
  return [
    {
      id: 'ledger',
      what: `Ledger of ${LEDGER_DAYS} days in Redis`,
      perSecond: ledgerRoom(redisMemoryGb) / ledgerBytes(times),
    },
    { id: 'pod', what: `Inference pod of ${times.workers} cores`, perSecond: pod.perSecond },
    { id: 'gateway', what: 'Gateway process', perSecond: (threadUse * 1e3) / together.gatewayMs },
    { id: 'decode', what: 'Core that only decodes', perSecond: 1e3 / tier.decodeMs },
    { id: 'network', what: 'Network into the gateways', perSecond: (nicGbps * 1e9) / 8 / bodyBytes },
    { id: 'redis', what: 'Redis core', perSecond: threadUse * times.redis.perCore },
  ]
    .map(({ id, what, perSecond }) => ({ id, what, imagesPerSecond: perSecond * images }))
    .sort((a, b) => a.imagesPerSecond - b.imagesPerSecond);
}
