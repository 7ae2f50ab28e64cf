/** Prepares the request to the inference tier about an attempt, and the evidence for its verdict. */
import type { Challenge, FramesReply } from '@presenza/inference/wire';
import type { TimedFrame } from '../../inference/inference-client';
import type { AttemptRecord } from '../capture/capture-store';
import type { Evidence, StepRecord } from '../capture/evidence';

export interface Gathered {
  readonly frames: readonly TimedFrame[];
  readonly challenges: readonly Challenge[];
  /** @param signals the tier's measurements in these frames */
  evidence(signals: FramesReply, reports: Reports): Evidence;
}

export interface Reports extends Pick<Evidence, 'camera' | 'transport' | 'reuse'> {
  /** See `CaptureState`. */
  readonly faceless: readonly number[];
}

type Arrival = AttemptRecord['arrivals'][number];

/**
 * @param record of an attempt with all steps complete.
 * @param open opens a sealed frame.
 */
export function gather(record: AttemptRecord, open: (number: number, sealed: Buffer) => Buffer): Gathered {
  const arrivals = withCaptureTimes(record.arrivals);
  const steps = stepsOf(record, arrivals);
  const kept = arrivals.flatMap(({ number }, position) => {
    const sealed = record.frames.get(number);
    return sealed ? [{ position, image: open(number, sealed) }] : [];
  });
  const at = (position: number) => arrivals[position] as Arrival;
  return {
    frames: kept.map(({ position, image }) => ({ image, timeMs: at(position).timeMs })),
    challenges: challengesOf(steps),
    evidence: (signals, { faceless, ...reports }) => ({
      signals,
      steps,
      frames: {
        arrivalsMs: arrivals.map(({ timeMs }) => timeMs),
        kept: kept.map(({ position }) => position),
        stepOf: kept.map(({ position }) => at(position).step),
        faceless: arrivals.flatMap(({ number }, position) => (faceless.includes(number) ? [position] : [])),
        refused: record.refused,
      },
      ...reports,
    }),
  };
}

/** The turns. A turn lasts until the next one is requested, so that no unasked turn goes unnoticed on the way back. */
export const challengesOf = (steps: readonly StepRecord[]): Challenge[] =>
  steps.flatMap(({ movement, fromMs, toMs }, i) => {
    if (movement === 'centre') return [];
    const next = steps[i + 1];
    return [{ kind: movement, fromMs, toMs: next?.movement === 'centre' ? next.toMs : toMs }];
  });

/**
 * Gives a frame that was overtaken the time of its successor.
 * @param arrivals in the order of their numbers, which is that of capture.
 */
function withCaptureTimes(arrivals: readonly Arrival[]): Arrival[] {
  let latest = Number.POSITIVE_INFINITY;
  return arrivals
    .toReversed()
    .map((arrival) => {
      latest = Math.min(latest, arrival.timeMs);
      return { ...arrival, timeMs: latest };
    })
    .toReversed();
}

/** A step ends with its last frame, when the next one begins. */
function stepsOf({ movements }: AttemptRecord, arrivals: readonly Arrival[]): StepRecord[] {
  let fromMs = 0;
  return movements.map((movement, index) => {
    const times = arrivals.filter(({ step }) => step === index).map(({ timeMs }) => timeMs);
    const record = { movement, fromMs, toMs: Math.max(fromMs + 1, ...times) };
    fromMs = record.toMs;
    return record;
  });
}
