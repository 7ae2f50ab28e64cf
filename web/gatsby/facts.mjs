/**
 * Numbers and names of the contract as text that content can name: `{maxFaces}` in running text. Each is a node of type
 * Fact, so that a page shows what the contract says at the time of the build.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const NUMBER = new Intl.NumberFormat('en');
const LIST = new Intl.ListFormat('en');
const MEBIBYTE = 1024 * 1024;
/** Units of time in seconds, the largest first. */
const TIMES = /** @type {const} */ ([
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]);

/** @param {string} file @returns {Promise<any>} */
const read = async (file) => JSON.parse(await readFile(resolve(`@presenza/contract/${file}`), 'utf8'));

/** @param {{ from: number, to: number }} range @param {number} [unit] */
const range = ({ from, to }, unit = 1) => `${from / unit} to ${to / unit}`;

/** A time in the largest unit that leaves no fraction. @param {number} seconds */
const duration = (seconds) => {
  const [unit, size] = TIMES.find(([, length]) => seconds % length === 0) ?? TIMES[2];
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
};

/** @returns {Promise<Record<string, string>>} by name; a unit stands at the end of a name where a number has one */
export async function readFacts() {
  const [brand, limits, plans] = await Promise.all(['brand.json', 'limits.json', 'plans.json'].map(read));
  const { image, faces, thresholds, liveness, metadata, batch, webhooks, idempotency } = limits;
  const free = plans.find((/** @type {{ isFree: boolean }} */ plan) => plan.isFree);
  const sync = plans.filter((/** @type {{ allowSyncWebhook: boolean }} */ plan) => plan.allowSyncWebhook);
  return {
    brand: brand.name,
    signatureHeader: brand.signatureHeader,
    maxMegabytes: NUMBER.format(image.maxBytes / MEBIBYTE),
    formats: LIST.format(image.formats.map((/** @type {{ label: string }} */ { label }) => label)),
    recommendedSize: `${image.recommendedMinWidth} x ${image.recommendedMinHeight}`,
    advisedSize: `${image.advisedMinWidth} x ${image.advisedMinHeight}`,
    maxFaces: NUMBER.format(faces.maxPerImage),
    similarityDefault: NUMBER.format(thresholds.similarityDefault),
    moderationDefault: NUMBER.format(thresholds.moderationConfidenceDefault),
    typicalSeconds: range(liveness.typicalDurationSeconds),
    sessionMinutes: NUMBER.format(liveness.sessionLifetimeSeconds / 60),
    retentionHours: NUMBER.format(liveness.dataRetentionSeconds / 3600),
    attempts: NUMBER.format(liveness.attemptsPerSession),
    failedAttempts: NUMBER.format(liveness.failedAttempts.limit),
    failedMinutes: NUMBER.format(liveness.failedAttempts.windowSeconds / 60),
    lockoutMinutes: range(liveness.failedAttempts.lockoutSeconds, 60),
    maxMetadataKilobytes: NUMBER.format(metadata.maxBytes / 1024),
    maxBatch: NUMBER.format(batch.maxOperations),
    idempotencyHours: NUMBER.format(idempotency.retentionSeconds / 3600),
    syncSeconds: NUMBER.format(webhooks.syncDeadlineSeconds),
    deliveryAttempts: NUMBER.format(webhooks.retryDelaysSeconds.length),
    deliveryWaits: LIST.format(webhooks.retryDelaysSeconds.slice(1).map(duration)),
    disabledAfterDays: NUMBER.format(webhooks.disableAfterFailingSeconds / 86_400),
    failedKeys: NUMBER.format(limits.failedAuthentication.limit),
    failedKeysTime: duration(limits.failedAuthentication.windowSeconds),
    keyPrefix: brand.keyPrefix,
    toleranceMinutes: NUMBER.format(webhooks.timestampToleranceSeconds / 60),
    syncPlans: LIST.format(sync.map((/** @type {{ displayName: string }} */ plan) => plan.displayName)),
    freeLiveness: NUMBER.format(free.quota.productGroups.livenessDetection),
    freeAnalyses: NUMBER.format(free.quota.productGroups.imageAnalysis),
  };
}

/** @param {import('gatsby').SourceNodesArgs} api */
export async function sourceFacts({ actions, createNodeId, createContentDigest }) {
  for (const [name, value] of Object.entries(await readFacts())) {
    actions.createNode({
      id: createNodeId(`Fact ${name}`),
      name,
      value,
      internal: { type: 'Fact', contentDigest: createContentDigest({ name, value }) },
    });
  }
}
