/**
 * The steps of an attempt: to look straight on, then three turns of the head that nobody can know before they are
 * asked for. How far the current one has come follows from the pose in each frame. This is guidance: whether the turns
 * convince, the verdict says from the frames themselves.
 */
import { randomInt } from 'node:crypto';
import limits from '@presenza/contract/limits.json';
import type { Movement } from './evidence';

export type Turn = Exclude<Movement, 'centre'>;

/** In degrees, as the inference tier gives them: yaw positive toward the person's own left, pitch positive upward. */
export interface Angles {
  readonly yaw: number;
  readonly pitch: number;
}

const turns: readonly Turn[] = ['left', 'right', 'up', 'down'];
/** The first step is none. */
const turnCount = limits.liveness.attempt.steps - 1;

/**
 * Draws the movements of an attempt: `centre`, then three turns, none twice running and at least one to a side, since
 * nodding shows less of a head's depth. Each of the 34 sequences is as likely as the others.
 * @param draw a whole number from 0 to below its argument; by default from the system's generator.
 */
export function drawMovements(draw: (below: number) => number = randomInt): Movement[] {
  for (;;) {
    const drawn = Array.from({ length: turnCount }, () => turns[draw(turns.length)] as Turn);
    const varied = drawn.every((turn, i) => turn !== drawn[i - 1]);
    if (varied && drawn.some((turn) => turn === 'left' || turn === 'right')) return ['centre', ...drawn];
  }
}

/** Where an attempt stands. It is plain JSON, and small. */
export interface Progress {
  /** Position of the current step; the number of steps once all are done. */
  readonly step: number;
  /** How far the current step has come, 0 to 1. */
  readonly share: number;
  /** Poses of the good frames in a row of the first step; then empty. */
  readonly poses: readonly Angles[];
  /** How the head is held when it looks straight on: a camera above or below the eyes shifts pitch. */
  readonly neutral: Angles;
  /** Whether the head was away from where the current turn leads since it was asked for. */
  readonly armed: boolean;
  /** Frames in a row beyond the angle of the current turn. */
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

/** What a frame shows: one face, and whether it is well placed, well lit and looks straight on; undefined for none. */
export type Sight = (Angles & { readonly good: boolean }) | undefined;

/** Good frames in a row that the first step needs. */
const centreFrames = 5;
/** Frames in a row beyond the angle: one alone may be a mesh that slipped. */
const heldFrames = 2;

/**
 * When a turn is reached, in degrees from the neutral pose. The tier's own measure asks for 25 and 12; it takes the
 * neutral pose over a few frames more, so a little beyond is asked for here, that nobody is told to go on who falls
 * short there.
 */
export const reach = { left: 28, right: 28, up: 14, down: 14 } as const;
/** The next turn counts once the head was within this of the neutral pose, in degrees to the side and up or down. */
const near = { yaw: 14, pitch: 8 };

/** How far a head is turned the asked way, and how far it is off that way, in degrees. */
const alongAndAcross: Readonly<Record<Turn, (pose: Angles) => readonly [along: number, across: number]>> = {
  left: ({ yaw, pitch }) => [yaw, pitch],
  right: ({ yaw, pitch }) => [-yaw, pitch],
  up: ({ yaw, pitch }) => [pitch, yaw],
  down: ({ yaw, pitch }) => [-pitch, yaw],
};

/** Takes one frame in. After the last step nothing changes any more. */
export function advance(progress: Progress, movements: readonly Movement[], sight: Sight): Progress {
  const movement = movements[progress.step];
  if (movement === undefined) return progress;
  return movement === 'centre' ? centre(progress, sight) : turn(progress, movement, sight);
}

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

function turn(progress: Progress, movement: Turn, sight: Sight): Progress {
  if (!sight) return { ...progress, held: 0 };
  const { neutral } = progress;
  const [along, across] = alongAndAcross[movement]({
    yaw: sight.yaw - neutral.yaw,
    pitch: sight.pitch - neutral.pitch,
  });
  const [nearAlong, nearAcross] = alongAndAcross[movement](near);
  // Coming over from the other side it passes the middle, seen or not.
  const armed = progress.armed || (along <= Math.abs(nearAlong) && Math.abs(across) <= nearAcross);
  const held = armed && along >= reach[movement] ? progress.held + 1 : 0;
  if (held >= heldFrames) return { ...beginning, step: progress.step + 1, neutral };
  const share = armed ? Math.min(Math.max(along / reach[movement], 0), 1) : 0;
  return { ...progress, armed, held, share, seen: progress.seen + 1 };
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;

/** Frames in which a head may come back by itself before it is asked to. */
const patience = 8;

/** Whether the person should look straight on now. */
export function wantsCentre({ armed, seen }: Progress, movement: Movement | undefined): boolean {
  return movement === 'centre' || (movement !== undefined && !armed && seen >= patience);
}
