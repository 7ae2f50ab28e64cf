/**
 * The steps of an attempt: looking straight ahead, then random turns of the head. The pose in each frame drives the
 * progress of the current step. This only guides the user; the verdict examines the turns in the frames themselves.
 */
import { randomInt } from 'node:crypto';
import limits from '@presenza/contract/limits.json';
import type { Movement } from './evidence';

export type Turn = Exclude<Movement, 'centre'>;

/** Degrees, as in the inference tier: yaw is positive toward the user's own left, pitch is positive upward. */
export interface Angles {
  readonly yaw: number;
  readonly pitch: number;
}

const turns: readonly Turn[] = ['left', 'right', 'up', 'down'];
const { turns: firstTurns, retryTurns } = limits.liveness.attempt;

/**
 * How many turns an attempt asks for. Each attempt draws anew and counts as soon as it asks for a turn, so that none can be
 * looked at and abandoned for free. With 3, 5 and 5 turns, a fixed recording, which matches one sequence of each length,
 * passes in 1 - (1 - 1/56) (1 - 1/992) (1 - 1/992) = 1.98 % of sessions. Random pauses or holding times would not lower
 * this: a recording that turns slowly and holds long fits all of them.
 * @param earlier attempts of the session that asked for a turn
 */
export const turnsAfter = (earlier: number): number => (earlier === 0 ? firstTurns : retryTurns);

/** How many sequences of turns are equally likely: all except those without a turn to the side. */
export const sequencesOf = (turnCount: number): number => turns.length ** turnCount - 2 ** turnCount;

/**
 * Draws the movements of an attempt: `centre`, then turns with at least one to the side, because nodding shows less of a
 * head's depth. Before a turn that repeats the last one, the user looks straight ahead again.
 * @param draw an integer from 0 to below its argument; by default from the system's generator.
 */
export function drawMovements(
  turnCount: number,
  draw: (below: number) => number = randomInt,
): readonly Movement[] {
  for (;;) {
    const drawn = Array.from({ length: turnCount }, () => turns[draw(turns.length)] as Turn);
    if (drawn.some((turn) => turn === 'left' || turn === 'right')) {
      return [
        'centre',
        ...drawn.flatMap((turn, i) => (turn === drawn[i - 1] ? ['centre', turn] : turn)),
      ] as Movement[];
    }
  }
}

/** The progress of an attempt, as small plain JSON. */
export interface Progress {
  /** Position of the current step; the number of steps once all are done. */
  readonly step: number;
  /** Progress of the current step, 0 to 1. */
  readonly share: number;
  /** Poses of the consecutive good frames of the first step; then empty. */
  readonly poses: readonly Angles[];
  /** The user's pose when looking straight ahead: a camera above or below the eyes shifts pitch. */
  readonly neutral: Angles;
  /** Whether the head has been near the neutral pose since the current turn began. */
  readonly armed: boolean;
  /** Consecutive frames over the angle of the current turn. */
  readonly held: number;
  /** Frames with a face since the current step began. */
  readonly seen: number;
}

export const beginning: Progress = {
  step: 0,
  share: 0,
  poses: [],
  neutral: { yaw: 0, pitch: 0 },
  armed: false,
  held: 0,
  seen: 0,
};

/** The face in a frame, and whether it is well placed, well lit and frontal; undefined without one face. */
export type Sight = (Angles & { readonly good: boolean }) | undefined;

/** Consecutive good frames that the first step needs. */
const centreFrames = 5;
/** Frames of a later step that looks straight ahead: as many as the verdict needs of each step. */
const returnedFrames = 3;
/** Consecutive frames over the angle: a single one may be an error of the face mesh. */
const heldFrames = 2;

/**
 * The angle that completes a turn, in degrees from the neutral pose. The inference tier requires 25 and 12 but averages the
 * neutral pose over a few more frames, so the guidance asks for slightly more: a completed step must also pass there.
 */
export const reach = { left: 28, right: 28, up: 14, down: 14 } as const;
/** A turn counts once the head was this close to the neutral pose, in degrees to the side and up or down. */
const near = { yaw: 14, pitch: 8 };

/** How far a head is turned in the requested direction and across it, in degrees. */
const alongAndAcross: Readonly<Record<Turn, (pose: Angles) => readonly [along: number, across: number]>> = {
  left: ({ yaw, pitch }) => [yaw, pitch],
  right: ({ yaw, pitch }) => [-yaw, pitch],
  up: ({ yaw, pitch }) => [pitch, yaw],
  down: ({ yaw, pitch }) => [-pitch, yaw],
};

/** Advances by one frame. Nothing changes after the last step. */
export function advance(progress: Progress, movements: readonly Movement[], sight: Sight): Progress {
  const movement = movements[progress.step];
  if (movement === undefined) return progress;
  if (movement !== 'centre') return turn(progress, movement, sight);
  return progress.step === 0 ? centre(progress, sight) : comeBack(progress, sight);
}

/** Whether the attempt has asked for a turn: without one, nobody can pass. */
export const hasAskedTurn = ({ step }: Progress): boolean => step > 0;

export const isDone = ({ step }: Progress, movements: readonly Movement[]): boolean =>
  step >= movements.length;

function centre(progress: Progress, sight: Sight): Progress {
  const { yaw, pitch } = sight ?? {};
  const poses = sight?.good ? [...progress.poses, { yaw, pitch } as Angles] : [];
  const seen = progress.seen + (sight ? 1 : 0);
  if (poses.length < centreFrames) return { ...progress, poses, seen, share: poses.length / centreFrames };
  const neutral = { yaw: middle(poses.map((one) => one.yaw)), pitch: middle(poses.map((one) => one.pitch)) };
  return { ...beginning, step: progress.step + 1, neutral };
}

/** Ends once the head is back near the neutral pose. */
function comeBack(progress: Progress, sight: Sight): Progress {
  if (!sight) return progress;
  const { neutral } = progress;
  const seen = progress.seen + 1;
  const isBack =
    Math.abs(sight.yaw - neutral.yaw) <= near.yaw && Math.abs(sight.pitch - neutral.pitch) <= near.pitch;
  if (isBack && seen >= returnedFrames) return { ...beginning, step: progress.step + 1, neutral };
  return { ...progress, seen, share: Math.min(seen / returnedFrames, 0.9) };
}

function turn(progress: Progress, movement: Turn, sight: Sight): Progress {
  if (!sight) return { ...progress, held: 0 };
  const { neutral } = progress;
  const [along, across] = alongAndAcross[movement]({
    yaw: sight.yaw - neutral.yaw,
    pitch: sight.pitch - neutral.pitch,
  });
  const [nearAlong, nearAcross] = alongAndAcross[movement](near);
  // A head on the other side must pass the neutral pose, even if no frame shows it.
  const armed = progress.armed || (along <= Math.abs(nearAlong) && Math.abs(across) <= nearAcross);
  const held = armed && along >= reach[movement] ? progress.held + 1 : 0;
  if (held >= heldFrames) return { ...beginning, step: progress.step + 1, neutral };
  const share = armed ? Math.min(Math.max(along / reach[movement], 0), 1) : 0;
  return { ...progress, armed, held, share, seen: progress.seen + 1 };
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Frames in which a head may return to the neutral pose before the guidance asks for it. */
const returnFrames = 8;

/** Whether the user should look straight ahead now. */
export function wantsCentre({ armed, seen }: Progress, movement: Movement | undefined): boolean {
  return movement === 'centre' || (movement !== undefined && !armed && seen >= returnFrames);
}
