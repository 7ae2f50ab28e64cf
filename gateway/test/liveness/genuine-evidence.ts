/** Evidence without any suspicion, in numbers that no presentation gave, for tests that change parts of it. */
import type { FramesReply } from '@presenza/inference/wire';
import type { Evidence } from '../../src/services/liveness/capture/evidence';

type Frame = FramesReply['frames'][number];
export type SeenFrame = Extract<Frame, { ok: true }>;
export type Face = NonNullable<SeenFrame['face']>;

const steps = [
  { movement: 'centre', fromMs: 0, toMs: 2000 },
  { movement: 'left', fromMs: 2000, toMs: 4000 },
  { movement: 'up', fromMs: 4000, toMs: 6000 },
  { movement: 'right', fromMs: 6000, toMs: 8000 },
] as const;

const intervalMs = 200;

export function genuineEvidence(): Evidence {
  const times = Array.from({ length: 40 }, (_, i) => intervalMs * (i + 1));
  return {
    signals: {
      frames: times.map(frameAt),
      best: 3,
      planarity: { parallax: 0.9, turnDegrees: 66, pairs: 9 },
      foreshortening: { ratio: 1.05, frames: 12 },
      smear: { logOdds: -3, frames: 12 },
      motion: { challenges: steps.slice(1).map(challengeOf) },
      duplicates: [],
      screen: 0,
      light: null,
      reference: null,
      timings: { totalMs: 900 },
    },
    steps,
    frames: {
      arrivalsMs: times,
      kept: times.map((_, i) => i),
      stepOf: times.map((time) => Math.min(3, Math.floor((time - 1) / 2000))),
      faceless: [],
      refused: { repeated: 0, stale: 0, foreign: 0, signature: 0 },
    },
    camera: { label: 'Integrated Camera', width: 640, height: 480, frameRate: 30 },
    transport: { isSigned: true, clientFaults: [] },
  };
}

/** Frontal in the first step and at the beginning of each turn. */
function frameAt(timeMs: number): Frame {
  const turned = timeMs > 2000 && timeMs % 2000 > 600;
  return { timeMs, ok: true, change: 3, faceCount: 1, face: face(turned ? 30 : 0) };
}

const face = (yaw: number): Face => ({
  confidence: 0.99,
  boundingBox: { left: 0.4, top: 0.3, width: 0.25, height: 0.4 },
  pose: { yaw, pitch: 0, roll: 0 },
  quality: { brightness: 0.5, sharpness: 0.6 },
  similarity: { toBest: yaw === 0 ? 0.97 : 0.93, toPrevious: 0.97 },
});

const challengeOf = ({ movement }: (typeof steps)[number]) => ({
  kind: movement as Exclude<typeof movement, 'centre'>,
  reached: true,
  latencyMs: 1500,
  strays: [],
});

type Deep<T> = T extends (infer Item)[] | readonly (infer Item)[]
  ? Deep<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Deep<T[Key]> }
    : T;

export type MutableEvidence = Deep<Evidence>;

/** Genuine evidence with a change. */
export function evidenceWith(change: (evidence: MutableEvidence) => void): Evidence {
  const evidence = structuredClone(genuineEvidence()) as MutableEvidence;
  change(evidence);
  return evidence as Evidence;
}
