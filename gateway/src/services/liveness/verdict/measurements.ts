/** Reduces the evidence of an attempt to the numbers that the verdict's rules use. */
import type { FramesReply } from '@presenza/inference/wire';
import type { Evidence, FrameLog } from '../capture/evidence';

/** The embedding is most reliable for faces within this angle of the camera, in degrees. */
const frontalDegrees = 15;

/** Programs that replace a camera by files or screens. Phones that serve as webcams are not among them. */
const virtualCameras = new RegExp(
  [
    'virtual|vcam|webcammax|manycam|splitcam|sparkocam|altercam|camtwist|youcam|mmhmm|xsplit|vmix|vtubestudio',
    'snap camera|unity video capture|screen[ -]capture|v4l2|loopback|fake_device',
    '\\b(obs|ndi|dummy)\\b',
  ].join('|'),
  'i',
);

/** Null if the evidence does not contain a value. */
export interface Measurements {
  /** Minimum over the steps of the selected frames with a face. */
  readonly framesPerStep: number;
  /** Longest time between two frames, in milliseconds. */
  readonly longestGapMs: number;
  /** Nonces that were used before, sent too late, or never issued for this attempt. */
  readonly repeatedNonces: number;
  readonly staleNonces: number;
  readonly foreignNonces: number;
  /** Frames whose signature was refused. Anyone with the access token can cause them, so no rule uses them. */
  readonly refusedSignatures: number;
  /** Shares of the selected frames, 0 to 1. */
  readonly unreadableShare: number;
  readonly repeatedShare: number;
  readonly severalFacesShare: number;
  /** Longest time in which no frame shows a face, selected or not, in milliseconds. */
  readonly longestAbsenceMs: number;
  /** Minimum similarity of a frontal face to that of the best frame, 0 to 1. */
  readonly leastSimilarity: number | null;
  /** Minimum similarity of a face to the one before. */
  readonly leastContinuity: number | null;
  /** Turns that were requested. */
  readonly requested: number;
  /** Turns that came while they were requested. */
  readonly reached: number;
  /** 1 if the turns came in order, otherwise 0. */
  readonly inOrder: number;
  /** Turns that were not requested. */
  readonly strays: number;
  /** Minimum time from a request to its turn, in milliseconds. */
  readonly leastLatencyMs: number | null;
  /** Mean over the turns: 0 is shaking, 1 is steady. */
  readonly monotony: number | null;
  /** Largest angle between two frames, in degrees. */
  readonly turnDegrees: number | null;
  /** Parallax of the nose over that angle, in inter-ocular distances. */
  readonly parallax: number | null;
  /** Width of a turned face relative to its pose: about 1 for a head, less for prints. */
  readonly foreshortening: number | null;
  /** Log-odds that the near side of turned faces is stretched from a photo. */
  readonly smear: number | null;
  /** Frames that show the side of a head. */
  readonly sideFrames: number | null;
  readonly jumps: number;
  readonly blinks: number;
  /** Medians over the frontal faces, 0 to 1. */
  readonly antispoof: number | null;
  readonly passiveLiveness: number | null;
  /** Traces of a screen, 0 to 1. */
  readonly screen: number | null;
  /** Correlation of the face's color with the colors of the page, -1 to 1. */
  readonly light: number | null;
  /** 1 if the camera's label is that of a virtual camera. */
  readonly virtualCamera: number;
  /** How often the size of the frames changed. */
  readonly sizeChanges: number;
  /** From the first to the last frame of the steps, in milliseconds. */
  readonly captureMs: number;
  /** Steps that asked to look straight ahead again. */
  readonly returns: number;
  /** Mean time from a request to its turn, in milliseconds. */
  readonly meanLatencyMs: number | null;
  /** 1 if the frames are not signed. */
  readonly unsigned: number;
  /** Contradictions between the client and its headers. */
  readonly clientFaults: number;
}

export function measure({ signals, frames, steps, camera, transport }: Evidence): Measurements {
  const { challenges, inOrder } = signals.motion;
  const seen = sightings(signals);
  const frontal = seen.filter(({ pose }) => Math.hypot(pose.yaw, pose.pitch) <= frontalDegrees);
  const share = (matches: (frame: FramesReply['frames'][number], position: number) => boolean) =>
    signals.frames.filter(matches).length / signals.frames.length;
  const { turnDegrees = null, parallax = null } = signals.planarity ?? {};
  return {
    framesPerStep: Math.min(
      ...steps.map((_, step) => seen.filter(({ position }) => frames.stepOf[position] === step).length),
    ),
    longestGapMs: longest(frames.arrivalsMs),
    repeatedNonces: frames.refused.repeated,
    staleNonces: frames.refused.stale,
    foreignNonces: frames.refused.foreign,
    refusedSignatures: frames.refused.signature,
    unreadableShare: share((frame) => !frame.ok),
    repeatedShare: signals.duplicates.length / signals.frames.length,
    severalFacesShare: share((frame) => frame.ok && frame.faceCount > 1),
    longestAbsenceMs: longestAbsence(signals, frames),
    leastSimilarity: least(frontal.map(({ similarity }) => similarity.toBest)),
    leastContinuity: least(seen.flatMap(({ similarity }) => similarity.toPrevious ?? [])),
    requested: challenges.length,
    reached: challenges.filter(({ reached }) => reached).length,
    inOrder: Number(inOrder),
    strays: challenges.reduce((sum, { strays }) => sum + strays.length, 0),
    leastLatencyMs: least(challenges.flatMap(({ latencyMs }) => latencyMs ?? [])),
    monotony: mean(challenges.flatMap(({ monotony }) => monotony ?? [])),
    turnDegrees,
    parallax,
    foreshortening: signals.foreshortening?.ratio ?? null,
    // A tier of the wire's version 1.1 sends neither this nor the light.
    smear: signals.smear?.logOdds ?? null,
    sideFrames: signals.smear === undefined ? null : (signals.smear?.frames ?? 0),
    jumps: signals.jumps.length,
    blinks: signals.blinks,
    antispoof: median(frontal.map(({ passive }) => passive.antispoof)),
    passiveLiveness: median(frontal.map(({ passive }) => passive.liveness)),
    screen: signals.screen,
    light: signals.light?.correlation ?? null,
    virtualCamera: Number(virtualCameras.test(camera.label ?? '')),
    sizeChanges: frames.sizes.filter((size, i) => i > 0 && differ(size, frames.sizes[i - 1])).length,
    captureMs: (steps.at(-1)?.toMs ?? 0) - (frames.arrivalsMs[0] ?? 0),
    returns: steps.filter(({ movement }, i) => i > 0 && movement === 'centre').length,
    meanLatencyMs: mean(challenges.flatMap(({ latencyMs }) => latencyMs ?? [])),
    unsigned: Number(!transport.isSigned),
    clientFaults: transport.clientFaults.length,
  };
}

type SeenFace = NonNullable<Extract<FramesReply['frames'][number], { ok: true }>['face']> & {
  readonly position: number;
};

const sightings = ({ frames }: FramesReply): SeenFace[] =>
  frames.flatMap((frame, position) => (frame.ok && frame.face ? [{ ...frame.face, position }] : []));

/** From the first to the last of consecutive frames in which the guidance or, in a selected one, the tier found no face. */
function longestAbsence({ frames }: FramesReply, { arrivalsMs, kept, faceless }: FrameLog): number {
  const withoutFace = new Set(faceless);
  for (const [i, frame] of frames.entries()) {
    if (!(frame.ok && frame.face)) withoutFace.add(kept[i] as number);
  }
  let absence = 0;
  let fromMs: number | undefined;
  for (const [position, timeMs] of arrivalsMs.entries()) {
    fromMs = withoutFace.has(position) ? (fromMs ?? timeMs) : undefined;
    absence = Math.max(absence, timeMs - (fromMs ?? timeMs));
  }
  return absence;
}

const longest = (times: readonly number[]): number =>
  times.reduce((most, time, i) => Math.max(most, i > 0 ? time - (times[i - 1] as number) : 0), 0);

const least = (values: readonly number[]): number | null => (values.length > 0 ? Math.min(...values) : null);

const mean = (values: readonly number[]): number | null =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null;

const median = (values: readonly number[]): number | null =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

const differ = (
  a: { readonly width: number; readonly height: number },
  b: { readonly width: number; readonly height: number } | undefined,
): boolean => a.width !== b?.width || a.height !== b.height;
