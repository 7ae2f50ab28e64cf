/**
 * Figures of the capacity plan for running text, `{detectPodsMedium}` and the like: what benchmarks/capacity measured
 * and computed, so that the page says what the newest results say. Rates are named small, medium and large, in order.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readContractFile } from './contract-file.mjs';

const RESULTS = new URL('../../benchmarks/results/capacity/', import.meta.url);
const RATES = ['Small', 'Medium', 'Large'];

/** @returns {Promise<Readonly<Record<string, string>>>} by name */
export async function readCapacityFigures() {
  const names = ['service-times', 'knee', 'plan', 'many-nodes', 'autoscaling-spike', 'autoscaling-ramp'];
  const [times, knee, plan, manyNodes, surge, ramp] = await Promise.all(names.map(readResult));
  const { liveness } = await readContractFile('limits');
  return {
    ...capacityFiguresOf({ times, knee, plan, frameIntervalMs: liveness.attempt.frameIntervalMs }),
    ...manyNodesFiguresOf(manyNodes),
    ...autoscalingFiguresOf('surge', surge),
    ...autoscalingFiguresOf('ramp', ramp),
  };
}

/** @param {string} name */
async function readResult(name) {
  const file = fileURLToPath(new URL(`${name}.json`, RESULTS));
  return JSON.parse(await readFile(file, 'utf8'));
}

/**
 * @param {{ times: any, knee: any, plan: any, frameIntervalMs: number }} results of benchmarks/capacity, and how often a
 *   capture sends a frame
 * @returns {Readonly<Record<string, string>>}
 */
export function capacityFiguresOf({ times, knee, plan, frameIntervalMs }) {
  const { data, machine } = times;
  const { redis, memory, operations, workers } = data;
  const { podUse, threadUse, nicGbps, redisMemoryGb, tolerance } = plan.conditions;
  const { planned, kneeErrorPercent } = plan.data;
  const tierMs = operations.detect.together.tierMs;
  return {
    capacityMachine: machine.cpu,
    capacityDate: times.measuredAt.slice(0, 10),
    podCores: format(workers),
    podUse: percent(podUse),
    threadUse: percent(threadUse),
    nicGbps: format(nicGbps),
    redisMemory: format(redisMemoryGb),
    kneeError: percent(kneeErrorPercent / 100),
    kneeTolerance: percent(tolerance / 100),
    imageKilobytes: format(data.imageBytes / 1e3),
    meteredPerCore: format(redis.perCore),
    meteredUsed: format(threadUse * redis.perCore),
    meterCommands: format(redis.commandsPerRequest),
    unitBytes: format(redis.bytesPerUnit),
    gatewayMemory: format(memory.gatewayMiB),
    oneWorkerMemory: format(memory.oneWorkerMiB),
    workerMemory: format(memory.perWorkerMiB),
    checkMs: format(data.frame.tierMs),
    // The inference tier analyzes each frame once, like a detection.
    capturesPerPod: format((podUse * workers * frameIntervalMs) / tierMs),
    ...Object.assign({}, ...Object.entries(operations).map(([name, operation]) => timesOf(name, operation))),
    ...Object.assign({}, ...knee.data.mixes.map(kneeOf)),
    ...Object.fromEntries(
      RATES.map((size, i) => [`rate${size}`, whole(planned[0].rates[i].imagesPerSecond)]),
    ),
    ...Object.assign({}, ...planned.map(planOf)),
    ...limitsOf(planned.find((/** @type {any} */ { operation }) => operation === 'detect').limits),
  };
}

/** @param {string} name @param {any} operation */
const timesOf = (name, { gateway, redisMs, tier, totalMs, together }) => ({
  [`${name}GatewayMs`]: format(gateway.loopMs + gateway.besideMs),
  [`${name}RedisMs`]: format(redisMs),
  [`${name}MainMs`]: format(tier.mainMs),
  [`${name}DecodeMs`]: format(tier.decodeMs),
  [`${name}ModelsMs`]: format(tier.workerMs),
  [`${name}AloneMs`]: format(totalMs.median),
  [`${name}BusyMs`]: format(together.totalMs.median),
});

/** @param {any} mix */
const kneeOf = ({ operation, knee, measuredP95Ms }) => ({
  [`${operation}KneeMeasured`]: format(knee.measured),
  [`${operation}KneePredicted`]: format(knee.predicted),
  [`${operation}TimeMeasured`]: format(measuredP95Ms),
});

/** @param {any} planned */
const planOf = ({ operation, pod, rates, perMillion }) => ({
  [`${operation}PodHours`]: format(perMillion.podHours),
  [`${operation}CoreHours`]: format(perMillion.coreHours),
  [`${operation}PodImages`]: format((pod.perSecond * rates[0].imagesPerSecond) / rates[0].requestsPerSecond),
  ...Object.assign({}, ...RATES.map((size, i) => rateOf(operation, rates[i], size))),
});

/** @param {string} operation @param {any} rate @param {string} size */
const rateOf = (operation, rate, size) => ({
  [`${operation}Requests${size}`]: whole(rate.requestsPerSecond),
  [`${operation}Pods${size}`]: whole(rate.pods),
  [`${operation}Cores${size}`]: whole(rate.podCores),
  [`${operation}Memory${size}`]: format(rate.podGiB),
  [`${operation}Gateways${size}`]: whole(rate.gateways),
  [`${operation}Shards${size}`]: whole(rate.shards),
  [`${operation}LedgerShards${size}`]: whole(rate.ledgerShards),
  [`${operation}Network${size}`]: format(rate.inGbps),
  [`${operation}Ledger${size}`]: format(rate.ledgerGbPerDay),
});

/** @param {any} result of capacity/many-nodes */
function manyNodesFiguresOf({ measuredAt, conditions, tables, data }) {
  const { nodes, zones, inference } = conditions;
  const [[, placedSeconds], [, drainedSeconds]] = tables[0].rows;
  return {
    scalingDate: measuredAt.slice(0, 10),
    manyNodes: whole(nodes),
    manyZones: whole(zones),
    manyInference: whole(inference),
    placedPods: whole(Number.parseInt(tables[0].rows[0][0], 10)),
    placedSeconds: format(placedSeconds),
    placedSkew: whole(Math.max(.../** @type {number[]} */ (Object.values(data.placed)))),
    drainedSeconds: format(drainedSeconds),
    drainedInference: whole(data.fewest.inference),
  };
}

/** @param {string} load @param {any} result of capacity/autoscaling */
function autoscalingFiguresOf(load, { conditions, data }) {
  const { phases, constant, pod } = data;
  const rates = phases.map((/** @type {any} */ { perSecond }) => perSecond);
  const coreHours = (/** @type {any} */ { podHours, served }) =>
    format((1e6 * pod.workers * podHours) / served);
  return {
    scalingStart: format(data.startSeconds),
    [`${load}Times`]: whole(conditions.rateFactor),
    [`${load}Stretch`]: whole(conditions.timeFactor),
    [`${load}First`]: format(rates[0]),
    [`${load}Highest`]: format(Math.max(...rates)),
    [`${load}Seconds`]: whole(phases[1].seconds),
    [`${load}Steps`]: whole(phases.length),
    [`${load}Needed`]: whole(data.neededPods),
    [`${load}Lag`]: format(data.longestLagSeconds),
    [`${load}Refused`]: percent(data.refused / data.offered),
    [`${load}Most`]: whole(data.mostPods),
    [`${load}PodHours`]: format(data.podHours),
    [`${load}CoreHours`]: coreHours(data),
    [`${load}Constant`]: whole(constant.pods),
    [`${load}ConstantPodHours`]: format(constant.podHours),
    [`${load}ConstantCoreHours`]: coreHours(constant),
  };
}

/** The throughput of each resource, and its rank among them by when it runs out. @param {any[]} limits */
const limitsOf = (limits) =>
  Object.assign(
    {},
    ...limits.map(({ id, imagesPerSecond }, i) => ({
      [`${id}Limit`]: format(imagesPerSecond),
      [`${id}Place`]: whole(i + 1),
    })),
  );

/** Two digits are what a plan can be trusted with. @param {number} value */
const format = (value) => value.toLocaleString('en-US', { maximumSignificantDigits: value < 100 ? 2 : 3 });

/** Exact, because the value is a count. @param {number} value */
const whole = (value) => value.toLocaleString('en-US');

/** @param {number} part */
const percent = (part) => `${format(100 * part)} %`;
