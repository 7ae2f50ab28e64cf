/**
 * Numbers and names of the contract as text that content can name: `{maxFaces}` in running text. Each is a node of type
 * Fact, so that a page shows what the contract says at the time of the build.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { planFacts } from './plan-facts.mjs';

const { resolve } = createRequire(import.meta.url);
const NUMBER = new Intl.NumberFormat('en');
const LIST = new Intl.ListFormat('en');
const MEBIBYTE = 1024 * 1024;

/** @param {string} file @returns {Promise<any>} */
const read = async (file) => JSON.parse(await readFile(resolve(`@presenza/contract/${file}`), 'utf8'));

/** @param {{ from: number, to: number }} range @param {number} [unit] */
const range = ({ from, to }, unit = 1) => `${from / unit} to ${to / unit}`;

/** @returns {Promise<Record<string, string>>} by name; a unit stands at the end of a name where a number has one */
export async function readFacts() {
  const [brand, limits, plans] = await Promise.all(['brand.json', 'limits.json', 'plans.json'].map(read));
  const { image, faces, thresholds, liveness, metadata, batch, webhooks, idempotency, keys } = limits;
  const sync = plans.filter((/** @type {{ allowSyncWebhook: boolean }} */ plan) => plan.allowSyncWebhook);
  const branded = plans.filter((/** @type {{ allowBranding: boolean }} */ plan) => plan.allowBranding);
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
    toleranceMinutes: NUMBER.format(webhooks.timestampToleranceSeconds / 60),
    syncPlans: LIST.format(sync.map((/** @type {{ displayName: string }} */ plan) => plan.displayName)),
    deadLetterDays: NUMBER.format(webhooks.logRetentionSeconds / 86400),
    maxEndpoints: NUMBER.format(webhooks.maxEndpointsPerAccount),
    rollGraceHours: NUMBER.format(keys.rollGraceSeconds / 3600),
    brandingPlans: LIST.format(
      branded.map((/** @type {{ displayName: string }} */ plan) => plan.displayName),
    ),
    ...Object.fromEntries(
      thresholds.guidance.map(
        (/** @type {{ label: string, from: number, to: number }} */ { label, ...span }) => [
          label.toLowerCase(),
          range(span),
        ],
      ),
    ),
    ...planFacts(plans),
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
