/**
 * Numbers and names of the contract for texts. The build replaces `{maxFaces}` by the contract's value
 * and fails on unknown names.
 */
import { planFigures } from './plan-figures.mjs';

/**
 * @typedef {import('./plan-figures.mjs').Plan} Plan
 *
 * @typedef {object} Contract
 * @property {typeof import('@presenza/contract/brand.json')} brand
 * @property {typeof import('@presenza/contract/limits.json')} limits
 * @property {readonly Plan[]} plans
 * @property {readonly { eventType: string }[]} events
 * @property {{ properties: { minConfidence: { minimum: number, maximum: number } } }} livenessPolicy
 * @property {{ enum: readonly string[] }} landmarks
 * @property {{ enum: readonly string[] }} emotions
 * @property {{ enum: readonly string[] }} accessories
 */

/** @param {Contract} contract @returns {Readonly<Record<string, string>>} */
export function figuresOf({
  brand,
  limits,
  plans,
  events,
  livenessPolicy,
  landmarks,
  emotions,
  accessories,
}) {
  const { customCategories, faces, http, image, idempotency, keys, liveness, thresholds, webhooks } = limits;
  const { failedAttempts } = liveness;
  return {
    brand: brand.name,
    signatureHeader: brand.signatureHeader,
    keyPrefix: brand.keyPrefix,
    formats: list(image.formats.map(({ label }) => label)),
    maxMegabytes: inMegabytes(image.maxBytes),
    maxMegapixels: format(image.maxPixels / 1e6),
    sampledFrames: format(image.animation.sampledFrames),
    animationMegapixels: format(image.animation.maxPixels / 1e6),
    maxGifFrames: format(image.animation.maxFrames),
    gifMegapixels: megapixelsOf('gif', image),
    heicMegapixels: megapixelsOf('heic', image),
    advisedSize: `${image.advisedMinWidth} x ${image.advisedMinHeight}`,
    recommendedSize: `${image.recommendedMinWidth} x ${image.recommendedMinHeight}`,
    maxFaces: format(faces.maxPerImage),
    landmarks: format(landmarks.enum.length),
    emotions: format(emotions.enum.length),
    emotionNames: list(emotions.enum),
    accessoryNames: list(accessories.enum),
    thresholdMin: format(thresholds.minimum),
    thresholdMax: format(thresholds.maximum),
    thresholdPercent: range({ from: thresholds.minimum * 100, to: thresholds.maximum * 100 }),
    similarityDefault: format(thresholds.similarityDefault),
    similarityPercent: format(thresholds.similarityDefault * 100),
    moderationDefault: format(thresholds.moderationConfidenceDefault),
    ...Object.fromEntries(
      thresholds.guidance.map(({ label, from, to }) => [
        label.toLowerCase(),
        `${format(from)} to ${format(to)}`,
      ]),
    ),
    maxCategories: format(customCategories.maxPerAccount),
    minExamples: format(customCategories.minExamples),
    maxExamples: format(customCategories.maxExamples),
    maxExamplesMegabytes: inMegabytes(customCategories.maxExamplesBytes),
    maxBatch: format(limits.batch.maxOperations),
    idempotencyHours: format(idempotency.retentionSeconds / 3600),
    sessionMinutes: format(liveness.sessionLifetimeSeconds / 60),
    retentionHours: format(liveness.dataRetentionSeconds / 3600),
    auditImageDays: format(liveness.auditImage.defaultDays),
    maxAuditImageDays: format(liveness.auditImage.maxDays),
    auditImageMegabytes: inMegabytes(liveness.auditImage.maxBytesPerAccount),
    typicalSeconds: range(liveness.typicalDurationSeconds),
    attemptSeconds: format(liveness.attempt.timeoutSeconds),
    attempts: format(liveness.attemptsPerSession),
    // The person looks straight ahead in the first step of an attempt.
    turns: format(liveness.attempt.turns),
    strictTurns: format(liveness.attempt.strictTurns),
    retryTurns: format(liveness.attempt.retryTurns),
    framesPerSecond: format(1000 / liveness.attempt.frameIntervalMs),
    maxFramesKept: format(liveness.attempt.maxFramesKept),
    minFrameWidth: format(liveness.frame.minWidth),
    minConfidence: format(livenessPolicy.properties.minConfidence.minimum),
    maxConfidence: format(livenessPolicy.properties.minConfidence.maximum),
    unsignedConfidence: format(liveness.confidence.unsigned),
    suspectedConfidence: format(liveness.confidence.suspected),
    lightColorMs: format(liveness.light.colorMs),
    leaveSeconds: format(liveness.leaveGraceSeconds),
    failedAttempts: format(failedAttempts.limit),
    failedAttemptsPerAddress: format(failedAttempts.limitPerAddress),
    failedMinutes: format(failedAttempts.windowSeconds / 60),
    lockoutMinutes: range({
      from: failedAttempts.lockoutSeconds.from / 60,
      to: failedAttempts.lockoutSeconds.to / 60,
    }),
    defaultLockoutMinutes: format(failedAttempts.defaultLockoutSeconds / 60),
    syncSeconds: format(webhooks.syncDeadlineSeconds),
    attemptTimeoutSeconds: format(webhooks.attemptTimeoutSeconds),
    toleranceMinutes: format(webhooks.timestampToleranceSeconds / 60),
    eventMaxAgeDays: format(webhooks.eventMaxAgeSeconds / 86_400),
    deliveryAttempts: format(webhooks.retryDelaysSeconds.length),
    deliveryDays: format(Math.round(webhooks.retryDelaysSeconds.reduce((sum, wait) => sum + wait) / 86_400)),
    deliveryWaits: list(webhooks.retryDelaysSeconds.slice(1).map(duration)),
    disabledAfterDays: format(webhooks.disableAfterFailingSeconds / 86_400),
    failedKeys: format(limits.failedAuthentication.limit),
    failedKeysTime: duration(limits.failedAuthentication.windowSeconds),
    pageItems: format(limits.lists.maxItems),
    defaultPageItems: format(limits.lists.defaultItems),
    eventDays: format(limits.events.retentionSeconds / 86_400),
    maxEvents: format(limits.events.maxPerAccount),
    healthDays: format(limits.health.historyDays),
    healthSeconds: format(limits.health.measureSeconds),
    incidentDays: format(limits.incidents.retentionDays),
    incidentTitle: format(limits.incidents.maxTitleLength),
    incidentText: format(limits.incidents.maxTextLength),
    incidentUpdates: format(limits.incidents.maxUpdatesPerIncident),
    maxIncidents: format(limits.incidents.maxIncidents),
    maxHeaders: format(http.maxHeaders),
    maxHeaderKilobytes: format(http.maxHeaderBytes / 1024),
    headersTime: duration(http.headersTimeoutSeconds),
    requestTime: duration(http.requestTimeoutSeconds),
    maxMetadataKilobytes: format(limits.metadata.maxBytes / 1024),
    deadLetterDays: format(webhooks.logRetentionSeconds / 86_400),
    rollGraceHours: format(keys.rollGraceSeconds / 3600),
    secretGraceHours: format(webhooks.secretGraceSeconds / 3600),
    maxSecrets: format(webhooks.maxSecretsPerEndpoint),
    ...planFigures(plans),
    events: list(events.map(({ eventType }) => eventType)),
    brandingPlans: list(plans.filter((plan) => plan.allowBranding).map(({ displayName }) => displayName)),
    syncPlans: list(plans.filter((plan) => plan.allowSyncWebhook).map(({ displayName }) => displayName)),
  };
}

/** @param {string} text @param {Readonly<Record<string, string>>} figures @throws Error for an unknown name */
export const fillFigures = (text, figures) =>
  text.replace(/\{(\w+)\}/g, (_, name) => {
    const figure = figures[name];
    if (figure === undefined) throw new Error(`The contract has no figure named ${name}: "${text}"`);
    return figure;
  });

/** @param {number} value */
const format = (value) => value.toLocaleString('en-US');

/** @param {string} id of a format @param {Contract['limits']['image']} image */
function megapixelsOf(id, { formats, maxPixels }) {
  return format((formats.find((candidate) => candidate.id === id)?.maxPixels ?? maxPixels) / 1e6);
}

/** @param {number} bytes */
const inMegabytes = (bytes) => format(bytes / 1024 ** 2);

/** @param {{ from: number, to: number }} range */
const range = ({ from, to }) => `${format(from)} to ${format(to)}`;

/** @param {readonly string[]} names */
const list = (names) => new Intl.ListFormat('en-GB').format(names);

/** Units of time in seconds, the largest first. */
const TIMES = /** @type {const} */ ([
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]);

/** A duration in the largest unit without a fraction. @param {number} seconds */
function duration(seconds) {
  const [unit, size] = TIMES.find(([, length]) => seconds % length === 0) ?? TIMES[2];
  return new Intl.NumberFormat('en-US', { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size);
}
