/** Reduces the evidence of an attempt to the numbers that the verdict's rules use. */
import limits from '@presenza/contract/limits.json';
import type { FramesReply } from '@presenza/inference/wire';
import type { Evidence, FrameLog } from '../capture/evidence';

/** Similarity of two frontal faces of one person: the threshold of the service. */
const sameFace = limits.thresholds.similarityDefault;

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
  /** Absences of more than a second without a face like that of the best frame before them, and after them in the same step. */
  readonly unprovenReturns: number;
  /** Minimum similarity of a frontal face to that of the best frame, 0 to 1. */
  readonly leastSimilarity: number | null;
  /** Minimum similarity of a face to the one before. */
  readonly leastContinuity: number | null;
  /** Turns that were requested. */
  readonly requested: number;
  /** Turns that came while they were requested. */
  readonly reached: number;
  /** Turns that were not requested. */
  readonly strays: number;
  /** Minimum time from a request to its turn, in milliseconds. */
  readonly leastLatencyMs: number | null;
  /** Largest angle between two frames, in degrees. */
  readonly turnDegrees: number | null;
  /** Parallax of the nose over that angle, in inter-ocular distances. */
  readonly parallax: number | null;
  /** Width of a turned face relative to its pose: about 1 for a head, less for prints. */
  readonly foreshortening: number | null;
  /** Log-odds that the near side of turned faces is stretched from a photo, less the limit. */
  readonly smear: number | null;
  /** Frames that show the side of a head. */
  readonly sideFrames: number;
  /** Traces of a screen, 0 to 1. */
  readonly screen: number | null;
  /** Correlation of the face's color with the colors of the page, -1 to 1. */
  readonly light: number | null;
  /** 1 if the camera's label is that of a virtual camera. */
  readonly virtualCamera: number;
  /** Milliseconds from the first to the last frame of the steps. */
  readonly captureMs: number;
  /** Steps that asked to look straight ahead again. */
  readonly returns: number;
  /** Mean time from a request to its turn, in milliseconds. */
  readonly meanLatencyMs: number | null;
  /** 1 if the frames are not signed. */
  readonly unsigned: number;
  /** Contradictions between the client and its headers. */
  readonly clientFaults: number;
  /** Frames with the bytes of a frame of another session of the account. */
  readonly identicalFrames: number | null;
  /** Frames that look like a frame of another session of the account. */
  readonly alikeFrames: number | null;
}

export function measure({ signals, frames, steps, camera, transport, reuse }: Evidence): Measurements {
  const { challenges } = signals.motion;
  const seen = sightings(signals);
  const absences = absencesIn(signals, frames);
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
    longestAbsenceMs: Math.max(0, ...absences.map(({ fromMs, toMs }) => toMs - fromMs)),
    unprovenReturns: absences.filter((absence) => !isProven(absence, seen, frames)).length,
    leastSimilarity: least(frontal.map(({ similarity }) => similarity.toBest)),
    leastContinuity: least(seen.flatMap(({ similarity }) => similarity.toPrevious ?? [])),
    requested: challenges.length,
    reached: challenges.filter(({ reached }) => reached).length,
    strays: challenges.reduce((sum, { strays }) => sum + strays.length, 0),
    leastLatencyMs: least(challenges.flatMap(({ latencyMs }) => latencyMs ?? [])),
    turnDegrees,
    parallax,
    foreshortening: signals.foreshortening?.ratio ?? null,
    smear: signals.smear?.logOdds ?? null,
    sideFrames: signals.smear?.frames ?? 0,
    screen: signals.screen,
    light: signals.light?.correlation ?? null,
    virtualCamera: Number(virtualCameras.test(camera.label ?? '')),
    captureMs: (steps.at(-1)?.toMs ?? 0) - (frames.arrivalsMs[0] ?? 0),
    returns: steps.filter(({ movement }, i) => i > 0 && movement === 'centre').length,
    meanLatencyMs: mean(challenges.flatMap(({ latencyMs }) => latencyMs ?? [])),
    unsigned: Number(!transport.isSigned),
    clientFaults: transport.clientFaults.length,
    identicalFrames: reuse?.identical ?? null,
    alikeFrames: reuse?.alike ?? null,
  };
}

type SeenFace = NonNullable<Extract<FramesReply['frames'][number], { ok: true }>['face']> & {
  readonly position: number;
};

const sightings = ({ frames }: FramesReply): SeenFace[] =>
  frames.flatMap((frame, position) => (frame.ok && frame.face ? [{ ...frame.face, position }] : []));

interface Absence {
  /** Times of the first and the last frame without a face. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The runs of frames in which the guidance or, in a selected one, the tier found no face. */
function absencesIn({ frames }: FramesReply, { arrivalsMs, kept, faceless }: FrameLog): Absence[] {
  const withoutFace = new Set(faceless);
  for (const [i, frame] of frames.entries()) {
    if (!(frame.ok && frame.face)) withoutFace.add(kept[i] as number);
  }
  const absences: { fromMs: number; toMs: number }[] = [];
  for (const [position, timeMs] of arrivalsMs.entries()) {
    const run = withoutFace.has(position - 1) ? absences.at(-1) : undefined;
    if (!withoutFace.has(position)) continue;
    if (run) run.toMs = timeMs;
    else absences.push({ fromMs: timeMs, toMs: timeMs });
  }
  return absences;
}

/** An absence up to this time, in milliseconds, needs no proof: neighboring faces are compared in any case. */
const briefMs = 1000;

/**
 * Whether the face before an absence and the one after it are like that of the best frame. The guidance starts a turn anew
 * after an absence, from a frontal face, so the step has one to compare.
 */
function isProven(
  { fromMs, toMs }: Absence,
  seen: readonly SeenFace[],
  { arrivalsMs, kept, stepOf }: FrameLog,
) {
  if (toMs - fromMs <= briefMs) return true;
  const timeOf = ({ position }: SeenFace) => arrivalsMs[kept[position] as number] as number;
  const stepOfFace = ({ position }: SeenFace) => stepOf[position] as number;
  const isAlike = ({ similarity }: SeenFace) => similarity.toBest >= sameFace;
  const returned = seen.filter((face) => timeOf(face) > toMs);
  const [first] = returned;
  if (!first) return false;
  return (
    seen.some((face) => timeOf(face) < fromMs && isAlike(face)) &&
    returned.some((face) => stepOfFace(face) === stepOfFace(first) && isAlike(face))
  );
}

const longest = (times: readonly number[]): number =>
  times.reduce((most, time, i) => Math.max(most, i > 0 ? time - (times[i - 1] as number) : 0), 0);

const least = (values: readonly number[]): number | null => (values.length > 0 ? Math.min(...values) : null);

const mean = (values: readonly number[]): number | null =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
