/**
 * Replays one recording. A recording with prompts passes through the gateway's own guidance, selection of frames and
 * verdict, as if its frames had just arrived. One without prompts shows no requested movement, so only the rules that need
 * none judge it.
 */
import { InputError } from '../../../dist/evaluation/input/input-error.js';
import { beginning, faultless, gather, isDone, jpegSize, limits, nextState } from './product.mjs';

/** @typedef {import('./types').Source} Source */
/** @typedef {import('./types').Row} Row */
/** @typedef {import('../../../../gateway/dist/services/liveness/capture/guidance').GuidedFace} GuidedFace */

/**
 * @typedef {object} Parts
 * @property {(jpeg: Buffer) => Promise<readonly GuidedFace[] | undefined>} findFaces finds the faces of a frame with their pose;
 *   undefined where the image cannot be decoded
 * @property {(request: { frames: readonly { image: Buffer, timeMs: number }[], challenges: readonly { kind: string,
 *   fromMs: number, toMs: number }[] }) => Promise<any>} measure the signals of the selected frames
 * @property {import('./product.mjs').Judge} judge
 */

/** @param {Source} source @param {Parts} parts @returns {Promise<Omit<Row, 'path'>>} */
export const replay = (source, parts) =>
  source.frames[0]?.prompt === undefined ? replayUnprompted(source, parts) : replayPrompted(source, parts);

const noResponse = (
  /** @type {Row['kind']} */ kind,
  /** @type {string} */ reason,
  /** @type {number} */ frames,
) => /** @type {const} */ ({ kind, outcome: 'noResponse', reasons: [reason], confidence: null, frames });

/** The movements in the order of their prompts, and the position of each frame's among them. @param {Source['frames']} frames */
function stepsOf(frames) {
  /** @type {import('./product.mjs').Movement[]} */
  const movements = [];
  const steps = frames.map(({ prompt }) => {
    if (prompt !== movements.at(-1)) movements.push(/** @type {import('./product.mjs').Movement} */ (prompt));
    return movements.length - 1;
  });
  return { movements, steps };
}

/** @param {Source} source @param {Parts} parts @returns {Promise<Omit<Row, 'path'>>} */
async function replayPrompted({ frames: all, camera, movements: noted }, { findFaces, measure, judge }) {
  const { maxFramesAccepted, timeoutSeconds } = limits.attempt;
  const frames = all.slice(0, maxFramesAccepted).filter(({ timeMs }) => timeMs <= 1000 * timeoutSeconds);
  const { movements: seen, steps } = stepsOf(all);
  const movements = noted ?? seen;
  /** @type {Map<number, Buffer>} */
  const images = new Map();
  const arrivals = [];
  // `state` stays in a step until its prompt ends; `progress` is ahead of it once the guidance accepts the movement.
  /** @type {import('./product.mjs').CaptureState} */
  let state = { progress: beginning, guidance: 'ok', kept: [], unseen: 0 };
  let progress = state.progress;
  for (const [number, frame] of frames.entries()) {
    const step = steps[number];
    if (progress.step < step) return noResponse('prompted', 'unfinished', frames.length);
    if (state.progress.step < step) state = { ...state, progress };
    const isAccepted = progress.step > step;
    const image = await readable(frame);
    const faces = image && !isAccepted ? await findFaces(image) : undefined;
    // The gateway refuses images that cannot be decoded.
    if (!image || (!isAccepted && !faces)) continue;
    const next = nextState({ movements, state }, number, faces);
    if (!isAccepted) progress = next.state.progress;
    state = { ...next.state, progress: progress.step > step ? state.progress : progress };
    arrivals.push({ number, timeMs: frame.timeMs, step });
    images.set(number, image);
    if (next.dropped !== undefined) images.delete(next.dropped);
  }
  if (arrivals.length === 0) return noResponse('prompted', 'unreadable', frames.length);
  const hasTurns = movements.length > 1;
  if (!hasTurns || !isDone(progress, movements)) return noResponse('prompted', 'unfinished', frames.length);
  const record = {
    // The gateway's record has these sealed, and `gather` reads neither.
    state: '',
    camera: '',
    movements,
    arrivals,
    frames: images,
    refused: { repeated: 0, stale: 0, foreign: 0, signature: 0 },
  };
  const gathered = gather(record, (/** @type {number} */ _number, /** @type {Buffer} */ image) => image);
  const verdict = judge(
    gathered.evidence(await measure(gathered), {
      faceless: state.faceless ?? [],
      camera,
      transport: faultless,
    }),
  );
  return { kind: 'prompted', ...outcomeOf(verdict), frames: frames.length };
}

/** @param {import('./types').SourceFrame} frame @returns {Promise<Buffer | undefined>} @throws InputError for a missing file */
async function readable(frame) {
  try {
    return await frame.read();
  } catch (error) {
    if (error instanceof InputError) throw error;
    return undefined;
  }
}

const outcomeOf = ({ isLive, reasons, confidence }) => ({
  outcome: /** @type {Row['outcome']} */ (isLive ? 'accepted' : 'rejected'),
  reasons,
  confidence,
});

/** The rules that judge a recording without prompts. */
export const rulesWithoutMovement = [
  'unreadable',
  'severalFaces',
  'faceAway',
  'otherPerson',
  'repeatedImages',
  'screen',
];
/** The rules among them that one image is enough for. */
const rulesOfOneImage = rulesWithoutMovement.filter((name) => name !== 'repeatedImages');
/** Frames of a recording without prompts that are judged: at the page's pace, in about six seconds. */
const MOST_FRAMES = 32;

/** @param {Source} source @param {Parts} parts @returns {Promise<Omit<Row, 'path'>>} */
async function replayUnprompted({ frames: all, camera }, { measure, judge }) {
  const chosen = paced(all);
  const frames = [];
  for (const frame of chosen) {
    const image = await readable(frame);
    if (image && jpegSize(image)) frames.push({ image, timeMs: frame.timeMs });
  }
  const [first] = frames;
  if (!first) return noResponse('unprompted', 'unreadable', chosen.length);
  const isSingle = frames.length === 1;
  // The tier measures at least two frames.
  const request = { frames: isSingle ? [first, first] : frames, challenges: [] };
  const signals = await measure(request);
  if (signals.frames.every(({ ok }) => !ok)) return noResponse('unprompted', 'unreadable', chosen.length);
  if (signals.frames.every(({ face }) => !face)) return noResponse('unprompted', 'noFace', chosen.length);
  const evidence = {
    signals,
    steps: [],
    frames: {
      arrivalsMs: request.frames.map(({ timeMs }) => timeMs),
      kept: request.frames.map((_, i) => i),
      stepOf: [],
      faceless: [],
      refused: { repeated: 0, stale: 0, foreign: 0, signature: 0 },
    },
    camera,
    transport: faultless,
  };
  const applied = isSingle ? rulesOfOneImage : rulesWithoutMovement;
  const verdict = judge(evidence, (name) => applied.includes(name));
  return { kind: 'unprompted', ...outcomeOf(verdict), frames: chosen.length };
}

/** @param {Source['frames']} frames */
function paced(frames) {
  let nextMs = 0;
  const chosen = frames.filter(({ timeMs }) => {
    if (timeMs < nextMs) return false;
    nextMs = timeMs + limits.attempt.frameIntervalMs;
    return true;
  });
  return chosen.slice(0, MOST_FRAMES);
}
