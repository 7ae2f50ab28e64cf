/** How a head follows instructions: after a moment, back to the neutral pose, then smoothly to the angle. */
import type { Movement } from '../../../src/services/liveness/capture/evidence';
import { randomFrom } from './random';
import type { Placement } from './solid';

export interface Habits {
  /** Milliseconds from the instruction to the first movement. */
  readonly reactionMs: number;
  /** Time from the neutral pose to the angle; the way back takes three quarters of it. */
  readonly moveMs: number;
  /** Angles of turns to a side and of nods, in degrees. */
  readonly yaw: number;
  readonly pitch: number;
  /** Maximum sway, in degrees and in millimeters. */
  readonly sway: number;
}

export const usualHabits: Habits = { reactionMs: 450, moveMs: 900, yaw: 33, pitch: 19, sway: 1 };

/** Habits of one random person. */
export function habitsOf(seed: number): Habits {
  const { between } = randomFrom(seed);
  return {
    reactionMs: between(300, 900),
    moveMs: between(700, 1300),
    yaw: between(31, 38),
    pitch: between(18, 22),
    sway: between(0.5, 1.5),
  };
}

/** How long a person rests at an angle, and how much further the next try goes. */
const patienceMs = 700;
const insistence = 1.35;

interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly from: readonly [yaw: number, pitch: number];
  readonly to: readonly [yaw: number, pitch: number];
}

export class Actor {
  /** Movements in ascending order; the head rests before, between and after them. */
  private stretches: Stretch[] = [];
  private readonly phases: readonly number[];

  constructor(
    private readonly habits: Habits = usualHabits,
    seed = 1,
  ) {
    const { between } = randomFrom(seed);
    this.phases = Array.from({ length: 5 }, () => between(0, 2 * Math.PI));
  }

  /** Follows a movement from now on and abandons the current one after the reaction time. */
  instruct(movement: Movement, atMs: number): void {
    const { reactionMs, moveMs } = this.habits;
    const begin = atMs + reactionMs;
    const from = this.angles(begin);
    const target = this.target(movement);
    const middle = begin + 0.75 * moveMs * Math.min(1, Math.hypot(...from) / 20);
    // The current movement continues until then.
    this.stretches = this.stretches.filter(({ fromMs }) => fromMs < begin);
    this.stretches.push({ fromMs: begin, toMs: middle, from, to: [0, 0] });
    if (movement === 'centre') return;
    const there = middle + moveMs;
    this.stretches.push({ fromMs: middle, toMs: there, from: [0, 0], to: target });
    // If no new instruction comes, the person turns slightly further.
    const further = [insistence * target[0], insistence * target[1]] as const;
    this.stretches.push({
      fromMs: there + patienceMs,
      toMs: there + patienceMs + moveMs,
      from: target,
      to: further,
    });
  }

  /** Pose and shift at a time; `base` is the position of the head while it looks straight ahead. */
  placementAt(ms: number, base: Placement): Placement {
    const [yaw, pitch] = this.angles(ms);
    const sway = (i: number, hz: number) =>
      this.habits.sway * Math.sin((this.phases[i] as number) + (2 * Math.PI * hz * ms) / 1000);
    return {
      yaw: base.yaw + yaw + sway(0, 0.31),
      pitch: base.pitch + pitch + sway(1, 0.23),
      roll: base.roll + sway(2, 0.17),
      x: base.x + 2 * sway(3, 0.13),
      y: base.y + sway(4, 0.19),
      distance: base.distance + 4 * sway(1, 0.11),
    };
  }

  private target(movement: Movement): readonly [number, number] {
    const { yaw, pitch } = this.habits;
    const targets = {
      centre: [0, 0],
      left: [yaw, 0],
      right: [-yaw, 0],
      up: [0, pitch],
      down: [0, -pitch],
    } as const;
    return targets[movement];
  }

  private angles(ms: number): readonly [yaw: number, pitch: number] {
    const stretch = this.stretches.findLast(({ fromMs }) => fromMs <= ms);
    if (!stretch) return [0, 0];
    const { fromMs, toMs, from, to } = stretch;
    const s = toMs > fromMs ? Math.min(1, (ms - fromMs) / (toMs - fromMs)) : 1;
    // Flash and Hogan, "The coordination of arm movements", 1985: the smoothest path from rest to rest.
    const share = s ** 3 * (10 - 15 * s + 6 * s ** 2);
    return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
  }
}
