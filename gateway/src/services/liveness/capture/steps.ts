/**
 * The steps of an attempt: looking straight ahead, then random turns of the head. The pose in each frame drives the
 * progress of the current step. This only guides the user; the verdict examines the turns in the frames themselves.
 */
import { randomInt } from 'node:crypto';
import limits from '@presenza/contract/limits.json';
import type { Level } from '../session/session-policy';
import type { Movement } from './evidence';

export type Turn = Exclude<Movement, 'centre'>;

/** Degrees, as in the inference tier: yaw is positive toward the user's own left, pitch is positive upward. */
export interface Angles {
  readonly yaw: number;
  readonly pitch: number;
}

const turns: readonly Turn[] = ['left', 'right', 'up', 'down'];
const { turns: firstTurns, strictTurns, retryTurns } = limits.liveness.attempt;

/**
 * How many turns an attempt asks for. Each attempt draws anew, shows nothing of its turns before the first, and counts from it
 * on, so that none can be looked at and abandoned for free. A fixed recording matches one sequence of each length. Under `standard`, with 3, 5 and 5
 * turns, it passes in 1 - (1 - 1/56) (1 - 1/992) (1 - 1/992) = 1.98 % of sessions. `strict` leaves fewer sequences and so
 * asks for a fourth turn: with 4, 5 and 5 turns it passes in 1 - (1 - 1/110) (1 - 1/570) (1 - 1/570) = 1.26 %. Random
 * pauses or holding times would not lower this: a recording that turns slowly and holds long fits all of them.
 * @param earlier attempts of the session that asked for a turn
 */
export function turnsAfter(earlier: number, level: Level): number {
  if (earlier > 0) return retryTurns;
  return level === 'strict' ? strictTurns : firstTurns;
}

/**
 * How many sequences of turns are equally likely: all except those without a turn to the side or, under `strict`, without a
 * turn to one of the sides.
 */
export const sequencesOf = (turnCount: number, level: Level): number =>
  level === 'strict'
    ? turns.length ** turnCount - 2 * 3 ** turnCount + 2 ** turnCount
    : turns.length ** turnCount - 2 ** turnCount;

/** Nodding shows less of a head's depth than a turn to a side, and two photos of a person may show one side of it only. */
const isAllowed = (drawn: readonly Turn[], level: Level): boolean => {
  const sides = (['left', 'right'] as const).filter((side) => drawn.includes(side)).length;
  return sides >= (level === 'strict' ? 2 : 1);
};

/**
 * Draws the movements of an attempt: `centre`, then turns with at least one to the side; under `strict`, with one to either
 * side. Before a turn that repeats the last one, the user looks straight ahead again.
 * @param draw an integer from 0 to below its argument; by default from the system's generator.
 */
export function drawMovements(
  turnCount: number,
  level: Level,
  draw: (below: number) => number = randomInt,
): readonly Movement[] {
  for (;;) {
    const drawn = Array.from({ length: turnCount }, () => turns[draw(turns.length)] as Turn);
    if (isAllowed(drawn, level)) {
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
  /** Frames with a face since the current step began, or since the user returned. */
  readonly seen: number;
  /** Consecutive frames of a turn without a face; undefined without any. */
  readonly away?: number;
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
const centerFrames = 5;
/** Frames of a later step that looks straight ahead: as many as the verdict needs of each step. */
const returnedFrames = 3;
/** Consecutive frames over the angle: a single one may be an error of the face mesh. */
const framesToHold = 2;
/**
 * Consecutive frames without a face after which a turn starts anew from the neutral pose: a second at the page's pace. The verdict
 * compares the frontal face that returned with the one before. The detector loses heads for a frame or two during wide turns.
 */
const framesAway = 5;

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

const shownShares = [0, 0.33, 0.66, 1];

/**
 * The progress of the current step that the page sees: in thirds, rounded down. A finer value would show an attacker who
 * changes an image little by little whether the measured pose grew.
 */
export const shownShare = ({ share }: Progress): number =>
  shownShares.findLast((shown) => shown <= share) ?? 0;

/** Advances by one frame. Nothing changes after the last step. */
export function advance(progress: Progress, movements: readonly Movement[], sight: Sight): Progress {
  const movement = movements[progress.step];
  if (movement === undefined) return progress;
  if (movement !== 'centre') return turn(progress, movement, sight);
  return progress.step === 0 ? center(progress, sight) : comeBack(progress, sight);
}

/** Whether the attempt has asked for a turn: without one, nobody can pass. */
export const hasAskedTurn = ({ step }: Progress): boolean => step > 0;

export const isDone = ({ step }: Progress, movements: readonly Movement[]): boolean =>
  step >= movements.length;

function center(progress: Progress, sight: Sight): Progress {
  const { yaw, pitch } = sight ?? {};
  const poses = sight?.good ? [...progress.poses, { yaw, pitch } as Angles] : [];
  const seen = progress.seen + (sight ? 1 : 0);
  if (poses.length < centerFrames) return { ...progress, poses, seen, share: poses.length / centerFrames };
  const neutral = {
    yaw: middle(poses.map((pose) => pose.yaw)),
    pitch: middle(poses.map((pose) => pose.pitch)),
  };
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
  if (!sight) return leave(progress);
  const { away: _, ...rest } = progress;
  const { neutral } = progress;
  const [along, across] = alongAndAcross[movement]({
    yaw: sight.yaw - neutral.yaw,
    pitch: sight.pitch - neutral.pitch,
  });
  const [nearAlong, nearAcross] = alongAndAcross[movement](near);
  // A head on the other side must pass the neutral pose, even if no frame shows it.
  const armed = progress.armed || (along <= Math.abs(nearAlong) && Math.abs(across) <= nearAcross);
  const heldFrames = armed && along >= reach[movement] ? progress.held + 1 : 0;
  if (heldFrames >= framesToHold) return { ...beginning, step: progress.step + 1, neutral };
  const share = armed ? Math.min(Math.max(along / reach[movement], 0), 1) : 0;
  return { ...rest, armed, held: heldFrames, share, seen: progress.seen + 1 };
}

function leave(progress: Progress): Progress {
  const away = (progress.away ?? 0) + 1;
  if (away < framesAway) return { ...progress, held: 0, away };
  return { ...beginning, step: progress.step, neutral: progress.neutral, away };
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Frames in which a head may return to the neutral pose, or turn, before the guidance asks for it. */
const returnFrames = 8;

/** Whether the user should look straight ahead now. */
export function wantsCenter({ armed, seen }: Progress, movement: Movement | undefined): boolean {
  return movement === 'centre' || (movement !== undefined && !armed && seen >= returnFrames);
}

/** The guidance for a face without another problem. `turned`: it has to return to the neutral pose first. */
export function shortfall(
  { step, armed, held, seen }: Progress,
  movement: Movement | undefined,
): 'ok' | 'turned' | 'turnFurther' {
  if (movement === undefined || step === 0 || seen < returnFrames || held > 0) return 'ok';
  return movement === 'centre' || !armed ? 'turned' : 'turnFurther';
}
