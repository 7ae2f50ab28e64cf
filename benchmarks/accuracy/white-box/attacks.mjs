/**
 * Attacks by someone who has read the code of the check and sends frames himself: he knows every rule, the weights of every
 * model, the guidance and the colors of the page, and runs the models on his own machine. They are kinds of their own, apart
 * from those of attackers who do not look.
 */
import { drawMovements, turnsAfter } from '../../../gateway/dist/services/liveness/capture/steps.js';
import { policies } from '../../../gateway/dist/services/liveness/verdict/policy.js';
import {
  compressed,
  mirrored,
  oldFrames,
  onePhotoTurns,
  photoTurns,
  randomFrom,
  recordAttempt,
  setOf,
  shaken,
  sitter,
  swappedTurns,
  tilted,
} from '../rendered-people.cjs';
import { grain } from './grain.mjs';
import { perturbed } from './perturbation.mjs';

/** @typedef {import('./perturbation.mjs').Effort} Effort */
/** @typedef {import('../species-rates.mjs').Level} Level */

/**
 * The models, the service and the effort that an attacker may use.
 * @typedef {object} Means
 * @property {Awaited<ReturnType<typeof import('../probes/faces.mjs').openFaces>>} faces
 * @property {readonly import('./perturbation.mjs').Target[]} targets
 * @property {Effort} effort
 * @property {(jpeg: Buffer) => Promise<any>} detect the faces of a frame, by the service
 */

/** Milliseconds between two frames: somewhat more than the page takes. */
const INTERVAL_MS = 250;
/** The attacker's head reacts and turns as quickly as people do, in milliseconds. */
const PACE = { reaction: [380, 520], move: [650, 850] };
/** How much brighter a face becomes under a white page, as a share: somewhat more than in front of a laptop. */
const TINT = 0.18;
/** Quality of the JPEG of reworked frames. */
const QUALITY = 75;

/** Looks like a camera: noise, and a hand that holds it. Each frame is compressed before it is sent. @param {number} seed */
const cameraLike = (seed) => inTurn(shaken(seed), grainy(seed));

/** Frames at another place, with other noise and compression. @param {number} seed */
const reworked = (seed) => inTurn(cameraLike(seed), compressed(QUALITY));

/** Frames that are turned about their center as well, which changes every fingerprint of an image. @param {number} seed */
const reworkedAndTilted = (seed) => inTurn(tilted(seed), reworked(seed));

/** Standard deviation of the noise of a camera, in levels. */
const CAMERA_NOISE = 2;

/** @param {number} seed */
const grainy = (seed) => async (frame, ms) => {
  const at = grain(randomFrom(1000 * seed + Math.round(ms) + 500));
  const data = frame.data.map((level, i) => Math.max(0, Math.min(255, level + CAMERA_NOISE * at(i) + 0.5)));
  return { ...frame, data };
};

const inTurn =
  (...steps) =>
  async (frame, ms) => {
    let now = frame;
    for (const step of steps) now = await step(now, ms);
    return now;
  };

/** A camera without noise: the pattern comes first, the noise after it. */
const noiseless = ({ sitting }) => ({
  ...sitting,
  camera: { ...sitting.camera, noise: 0 },
  habits: quick(sitting),
});

function quick({ habits, seed }) {
  const random = randomFrom(seed + 300);
  const [reactionMs, moveMs] = [PACE.reaction, PACE.move].map(([from, to]) => random.between(from, to));
  return { ...habits, reactionMs, moveMs };
}

/** @param {Means} means @param {number} seed */
const withPattern = ({ faces, targets, effort }, seed) =>
  inTurn(
    perturbed(faces, targets, effort, (ms) => randomFrom(1000 * seed + Math.round(ms))),
    cameraLike(seed),
  );

/** Prompts and colors of a session with the policy. @param {Level} level @param {any} set */
function requested(level, { colors, sitting: { seed } }) {
  const random = randomFrom(seed + 9000);
  return {
    movements: drawMovements(turnsAfter(0, level), level, (below) => Math.floor(random.next() * below)),
    colors: policies[level].requireLight ? colors : [],
    intervalMs: INTERVAL_MS,
  };
}

const photos = (name, cast, film) => ({
  name,
  cast,
  async present(people, { seed, level }, means) {
    const set = setOf(people, seed);
    return { ...(await film(set, means)), ...requested(level, set) };
  },
});

const plain = ({ sitting: { seed } }) => ({ develop: cameraLike(seed), tint: TINT });
const patterned = ({ sitting: { seed } }, means) => ({
  develop: withPattern(means, seed),
  tint: TINT,
});

const replayed = (name, developOf) => ({
  name,
  cast: 'standIns',
  async present(people, { seed, level }, means) {
    const set = setOf(people, seed);
    const { frames, earlier } = await earlierCapture(set, means);
    const subject = oldFrames(
      frames,
      { ...set.sitting, habits: quick(set.sitting) },
      { develop: developOf(seed), tint: TINT },
    );
    return { subject, victim: set.person, earlier, ...requested(level, set) };
  },
});

/** The seed of the earlier capture, which is in another room with other prompts. */
const EARLIER = 7000;

/** The frames of an earlier capture, with their mirror images, and those of them that were judged, as they were sent. */
async function earlierCapture({ person, sitting }, { faces, detect }) {
  const before = setOf([person], sitting.seed + EARLIER);
  const subject = await sitter(person, before.sitting);
  /** @type {any[]} */
  const filmed = [];
  const watched = {
    ...subject,
    frameAt: async (ms) => {
      const frame = await subject.frameAt(ms);
      filmed.push(frame);
      return frame;
    },
  };
  const { images, frames: log } = await recordAttempt(watched, {
    movements: before.movements,
    intervalMs: INTERVAL_MS,
    detect,
  });
  const frames = [];
  for (const image of filmed.flatMap((frame) => [frame, mirrored(frame)])) {
    const fit = await faces.readRgb(image);
    if (fit) frames.push({ image, fit });
  }
  return { frames, earlier: { images, timesMs: log.kept.map((at) => log.arrivalsMs[at]) } };
}

const onePhoto = async (set, rendering) => ({
  subject: await onePhotoTurns(set.person, noiseless(set), rendering),
  victim: set.person,
});
const twoPhotos = async (set, rendering) => ({
  subject: await photoTurns(set.person, noiseless(set), rendering),
  victim: set.person.front,
});
/** The other person is the victim. */
const faceSwap = async (set, rendering) => ({
  subject: await swappedTurns(set.other.front, set.person, noiseless(set), rendering),
  victim: set.other.front,
});

export const whiteBoxSpecies = [
  photos('one photo, perturbed', 'fronts', (set, means) => onePhoto(set, patterned(set, means))),
  photos('two photos', 'pairs', (set) => twoPhotos(set, plain(set))),
  photos('two photos, perturbed', 'pairs', (set, means) => twoPhotos(set, patterned(set, means))),
  photos('face swap on two photos', 'pairs', (set) => faceSwap(set, plain(set))),
  photos('face swap on two photos, perturbed', 'pairs', (set, means) => faceSwap(set, patterned(set, means))),
  replayed('old frames', () => undefined),
  replayed('old frames, reworked', reworked),
  replayed('old frames, reworked and tilted', reworkedAndTilted),
];
