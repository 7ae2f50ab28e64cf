/** What a verdict weighs: one number for each thing that the evidence tells. Pure arithmetic, no judgement. */
import type { FramesReply } from '@presenza/inference/wire';
import type { Evidence } from '../capture/evidence';
import { straightDegrees, virtualNames } from './table';

/** Null where there was nothing to measure it by. */
export interface Measures {
  /** Fewest frames with a face that were kept of a step. */
  readonly framesPerStep: number;
  /** Longest wait for the next frame, in milliseconds. */
  readonly longestGapMs: number;
  /** Nonces that were sent again, too late, or never given out in this attempt. */
  readonly repeatedNonces: number;
  readonly staleNonces: number;
  readonly foreignNonces: number;
  /** Shares of the kept frames, 0 to 1. */
  readonly unreadableShare: number;
  readonly repeatedShare: number;
  readonly severalFacesShare: number;
  /** Longest time in which the kept frames show no face, in milliseconds. */
  readonly longestAbsenceMs: number;
  /** Least similarity of a face that looks straight on to that of the best frame, 0 to 1. */
  readonly leastSimilarity: number | null;
  /** Least similarity of a face to the one before. */
  readonly leastContinuity: number | null;
  /** Turns that were asked for. */
  readonly asked: number;
  /** Those that came while they were asked for. */
  readonly answered: number;
  /** 1 where each came after the one before. */
  readonly inOrder: number;
  /** Turns that came unasked. */
  readonly strays: number;
  /** From a question to the turn that answers it, in milliseconds: the fastest. */
  readonly leastLatencyMs: number | null;
  /** Mean over the turns, 0 shaking to 1 steady. */
  readonly monotony: number | null;
  /** Largest turn between two frames, in degrees. */
  readonly turnDegrees: number | null;
  /** Of the nose over that turn, in inter-ocular distances. */
  readonly parallax: number | null;
  /** How wide a turned face is for its pose: about 1 for a head, less for prints. */
  readonly foreshortening: number | null;
  readonly jumps: number;
  readonly blinks: number;
  /** Medians over the faces that look straight on, 0 to 1. */
  readonly antispoof: number | null;
  readonly passiveLiveness: number | null;
  /** Trace of a screen, 0 to 1. */
  readonly screen: number | null;
  /** 1 where the page's camera is named like a program that plays files. */
  readonly virtualCamera: number;
  /** Times that the size of the frames changed. */
  readonly sizeChanges: number;
}

export function measure({ signals, frames, steps, camera }: Evidence): Measures {
  const { challenges, inOrder } = signals.motion;
  const seen = sightings(signals);
  const straight = seen.filter(({ pose }) => Math.hypot(pose.yaw, pose.pitch) <= straightDegrees);
  const share = (fits: (frame: FramesReply['frames'][number], position: number) => boolean) =>
    signals.frames.filter(fits).length / signals.frames.length;
  const { turnDegrees = null, parallax = null } = signals.planarity ?? {};
  return {
    framesPerStep: Math.min(
      ...steps.map((_, step) => seen.filter(({ position }) => frames.stepOf[position] === step).length),
    ),
    longestGapMs: longest(frames.arrivalsMs),
    repeatedNonces: frames.refused.repeated,
    staleNonces: frames.refused.stale,
    foreignNonces: frames.refused.foreign,
    unreadableShare: share((frame) => !frame.ok),
    repeatedShare: signals.duplicates.length / signals.frames.length,
    severalFacesShare: share((frame) => frame.ok && frame.faceCount > 1),
    longestAbsenceMs: longestAbsence(signals),
    leastSimilarity: least(straight.map(({ similarity }) => similarity.toBest)),
    leastContinuity: least(seen.flatMap(({ similarity }) => similarity.toPrevious ?? [])),
    asked: challenges.length,
    answered: challenges.filter(({ reached }) => reached).length,
    inOrder: Number(inOrder),
    strays: challenges.reduce((sum, { strays }) => sum + strays.length, 0),
    leastLatencyMs: least(challenges.flatMap(({ latencyMs }) => latencyMs ?? [])),
    monotony: mean(challenges.flatMap(({ monotony }) => monotony ?? [])),
    turnDegrees,
    parallax,
    foreshortening: signals.foreshortening?.ratio ?? null,
    jumps: signals.steadiness.jumps.length,
    blinks: signals.blinks,
    antispoof: median(straight.map(({ passive }) => passive.antispoof)),
    passiveLiveness: median(straight.map(({ passive }) => passive.liveness)),
    screen: signals.screen,
    virtualCamera: Number(virtualNames.test(camera.label ?? '')),
    sizeChanges: frames.sizes.filter((size, i) => i > 0 && differ(size, frames.sizes[i - 1])).length,
  };
}

type SeenFace = NonNullable<Extract<FramesReply['frames'][number], { ok: true }>['face']> & {
  readonly position: number;
};

const sightings = ({ frames }: FramesReply): SeenFace[] =>
  frames.flatMap((frame, position) => (frame.ok && frame.face ? [{ ...frame.face, position }] : []));

/** From the first to the last of frames in a row without a face. Between kept frames others may have shown one. */
function longestAbsence({ frames }: FramesReply): number {
  let absence = 0;
  let fromMs: number | undefined;
  for (const frame of frames) {
    fromMs = frame.ok && frame.face ? undefined : (fromMs ?? frame.timeMs);
    absence = Math.max(absence, frame.timeMs - (fromMs ?? frame.timeMs));
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
