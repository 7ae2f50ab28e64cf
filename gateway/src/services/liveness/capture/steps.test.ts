import limits from '@presenza/contract/limits.json';
import type { Level } from '../session/session-policy';
import type { Movement } from './evidence';
import {
  type Angles,
  advance,
  beginning,
  drawMovements,
  isDone,
  type Progress,
  sequencesOf,
  shortfall,
  shownShare,
  turnsAfter,
  wantsCenter,
} from './steps';

const straight = { yaw: 0, pitch: 0 };
const good = (pose: Angles = straight) => ({ ...pose, good: true });
const turned = (pose: Partial<Angles>) => ({ ...straight, ...pose, good: false });

const all = (movements: readonly Movement[], sights: Parameters<typeof advance>[2][], from = beginning) =>
  sights.reduce<Progress>((progress, sight) => advance(progress, movements, sight), from);
const straightOn = Array.from({ length: 5 }, () => good());

describe('movements', () => {
  /** Every sequence with the number of draws that lead to it. */
  function allDraws(turnCount: number, level: Level): Map<string, number> {
    const seen = new Map<string, number>();
    for (let code = 0; code < 4 ** turnCount; code++) {
      const digits = Array.from({ length: turnCount }, (_, i) => Math.floor(code / 4 ** i) % 4);
      const draws = [...digits];
      let further = 0;
      // After a rejected draw, left and right alternate, so that the next one is allowed.
      const drawn = drawMovements(turnCount, level, () => draws.shift() ?? further++ % 2).join();
      if (further === 0) seen.set(drawn, (seen.get(drawn) ?? 0) + 1);
    }
    return seen;
  }

  test.each([
    [3, 'standard', /left|right/],
    [5, 'standard', /left|right/],
    [4, 'strict', /left.*right|right.*left/],
    [5, 'strict', /left.*right|right.*left/],
  ] as const)(
    'draws each allowed sequence of %d turns under %s equally often',
    (turnCount, level, allowed) => {
      const drawn = allDraws(turnCount, level);
      expect(drawn.size).toBe(sequencesOf(turnCount, level));
      expect(new Set(drawn.values())).toEqual(new Set([1]));
      for (const sequence of drawn.keys()) {
        expect(sequence).toMatch(/^centre(,left|,right|,up|,down|,centre)+$/);
        expect(sequence).toMatch(allowed);
        // The head comes back before the same turn again.
        expect(sequence).not.toMatch(/(left|right|up|down|centre),\1/);
        expect(sequence.replaceAll(/centre,/g, '').split(',')).toHaveLength(turnCount);
      }
    },
  );

  test('draws all sequences with the system generator', () => {
    const seen = new Set(Array.from({ length: 2_000 }, () => drawMovements(3, 'standard').join()));
    expect(seen.size).toBe(sequencesOf(3, 'standard'));
  });

  test.each([
    ['standard', 0.01979],
    ['strict', 0.01256],
  ] as const)('match a fixed recording in fewer than one of fifty sessions under %s', (level, expected) => {
    const { attemptsPerSession } = limits.liveness;
    // A recording whose head turns in the same way in every attempt.
    const recording = ['left', 'up', 'right', 'right', 'down'];
    let misses = 1;
    for (let earlier = 0; earlier < attemptsPerSession; earlier++) {
      const drawn = [...allDraws(turnsAfter(earlier, level), level).keys()];
      const turns = recording.slice(0, turnsAfter(earlier, level)).join();
      const matches = drawn.filter((sequence) => sequence.replaceAll(/centre,/g, '') === turns);
      misses *= 1 - matches.length / drawn.length;
    }
    expect(1 - misses).toBeLessThan(0.02);
    expect(1 - misses).toBeCloseTo(expected, 4);
  });
});

describe('the first step', () => {
  const movements: Movement[] = ['centre', 'left'];

  test('needs five consecutive good frames', () => {
    const four = all(movements, straightOn.slice(1));
    expect(four).toMatchObject({ step: 0, share: 0.8 });
    expect(advance(four, movements, good())).toMatchObject({ step: 1, share: 0 });
    expect(all(movements, [turned({ yaw: 20 }), good()], four)).toMatchObject({ step: 0, share: 0.2 });
    expect(advance(four, movements, undefined)).toMatchObject({ step: 0, share: 0 });
  });

  test('takes the median pose as neutral', () => {
    const poses = [3, 8, 4, 5, 40].map((pitch) => good({ yaw: -pitch, pitch }));
    expect(all(movements, poses).neutral).toEqual({ yaw: -5, pitch: 5 });
  });
});

describe.each([
  ['left', { yaw: 1, pitch: 0 }, 28],
  ['right', { yaw: -1, pitch: 0 }, 28],
  ['up', { yaw: 0, pitch: 1 }, 14],
  ['down', { yaw: 0, pitch: -1 }, 14],
] as const)('%s', (movement, { yaw, pitch }, reach) => {
  const movements: Movement[] = ['centre', movement];
  const by = (degrees: number) => turned({ yaw: yaw * degrees, pitch: pitch * degrees });
  const begun = all(movements, straightOn);

  test('needs two consecutive frames over the angle', () => {
    const once = all(movements, [by(0), by(reach)], begun);
    expect(once).toMatchObject({ step: 1, share: 1 });
    expect(all(movements, [by(reach - 1), by(reach)], once).step).toBe(1);
    expect(all(movements, [undefined, by(reach)], once).step).toBe(1);
    expect(isDone(advance(once, movements, by(reach + 20)), movements)).toBe(true);
  });

  test('reports progress with the angle', () => {
    expect(all(movements, [by(0), by(reach / 2)], begun).share).toBeCloseTo(0.5);
    expect(all(movements, [by(0), by(reach / 2), by(-reach)], begun).share).toBe(0);
  });

  test('shows the page thirds of it, rounded down', () => {
    const shownAt = (degrees: number) => shownShare(all(movements, [by(0), by(degrees)], begun));
    const degrees = Array.from({ length: 10 * reach + 1 }, (_, i) => i / 10);
    expect(new Set(degrees.map(shownAt))).toEqual(new Set([0, 0.33, 0.66, 1]));
    for (const angle of degrees) expect(shownAt(angle)).toBeLessThanOrEqual(angle / reach);
  });

  test('ignores the opposite direction', () => {
    const sights = Array.from({ length: 20 }, () => by(-60));
    expect(all(movements, [by(0), ...sights], begun).step).toBe(1);
  });

  test('requires a turned head to return first', () => {
    const waiting = all(
      movements,
      Array.from({ length: 20 }, () => by(reach + 5)),
      begun,
    );
    expect(waiting).toMatchObject({ step: 1, share: 0, armed: false });
    expect(wantsCenter(waiting, movement)).toBe(true);
    const back = advance(waiting, movements, by(2));
    expect(wantsCenter(back, movement)).toBe(false);
    expect(isDone(all(movements, [by(reach), by(reach)], back), movements)).toBe(true);
  });

  test('starts anew from the neutral pose after five frames without a face', () => {
    const gone = (frames: number) => Array.from({ length: frames }, () => undefined);
    const half = all(movements, [by(0), by(reach / 2)], begun);
    const back = (frames: number) => all(movements, [...gone(frames), by(reach), by(reach)], half);
    expect(isDone(back(4), movements)).toBe(true);
    expect(back(5)).toMatchObject({ step: 1, armed: false, share: 0, neutral: straight });
    expect(isDone(all(movements, [by(0), by(reach), by(reach)], back(5)), movements)).toBe(true);
    // Frames that are missing one by one do not add up.
    const flickering = [undefined, undefined, by(2), undefined, undefined, undefined, by(reach), by(reach)];
    expect(isDone(all(movements, flickering, half), movements)).toBe(true);
  });

  test('is too small until the angle is reached, and says so once the head has had time to turn', () => {
    const turns = (degrees: number, frames: number) =>
      all(
        movements,
        Array.from({ length: frames }, () => by(degrees)),
        begun,
      );
    expect(shortfall(turns(0, 7), movement)).toBe('ok');
    expect(shortfall(turns(0, 8), movement)).toBe('turnFurther');
    const small = all(
      movements,
      Array.from({ length: 20 }, () => by(reach - 1)),
      turns(0, 1),
    );
    expect(shortfall(small, movement)).toBe('turnFurther');
    expect(shortfall(advance(small, movements, by(reach)), movement)).toBe('ok');
  });

  test('asks a head that is off the neutral pose to return', () => {
    const off = { yaw: yaw === 0 ? 16 : 0, pitch: pitch === 0 ? 10 : 0 };
    const waiting = all(
      movements,
      Array.from({ length: 8 }, () => turned(off)),
      begun,
    );
    expect(shortfall(waiting, movement)).toBe('turned');
  });

  test('measures from the neutral pose', () => {
    const low = Array.from({ length: 5 }, () => good({ yaw: yaw * 5, pitch: pitch * 5 }));
    const progress = all(movements, [...low, by(0), by(reach), by(reach)]);
    expect(progress.step).toBe(1);
    expect(all(movements, [by(reach + 5), by(reach + 5)], progress).step).toBe(2);
  });
});

test('a turn that repeats waits until the head is back for three frames', () => {
  const movements: Movement[] = ['centre', 'left', 'centre', 'left'];
  const left = turned({ yaw: 35 });
  const first = all(movements, [...straightOn, good(), left, left]);
  expect(first).toMatchObject({ step: 2, share: 0 });
  expect(wantsCenter(first, 'centre')).toBe(true);
  expect(all(movements, [left, left, left, undefined], first).step).toBe(2);
  expect(all(movements, [good(), good()], first).step).toBe(2);
  const back = all(movements, [left, left, good()], first);
  expect(back).toMatchObject({ step: 3, share: 0, neutral: straight });
  expect(isDone(all(movements, [good(), left, left], back), movements)).toBe(true);
});

test('needs no stop between opposite turns, but between others', () => {
  const left = turned({ yaw: 35 });
  const right = turned({ yaw: -35 });
  const swing = all(['centre', 'left', 'right'], [...straightOn, good(), left, left, right, right, right]);
  expect(swing.step).toBe(2);
  const across: Movement[] = ['centre', 'left', 'up'];
  const corner = [
    { yaw: 35, pitch: 20, good: false },
    { yaw: 0, pitch: 20, good: false },
  ];
  const up = all(across, [...straightOn, good(), left, left, ...corner, ...corner]);
  expect(up).toMatchObject({ step: 2, armed: false });
  expect(all(across, [good(), turned({ pitch: 20 }), turned({ pitch: 20 })], up).step).toBe(3);
});

test('asks a head that does not come back between two turns to return', () => {
  const movements: Movement[] = ['centre', 'left', 'centre', 'left'];
  const left = turned({ yaw: 35 });
  const first = all(movements, [...straightOn, good(), left, left]);
  const raised = Array.from({ length: 8 }, () => turned({ pitch: 10 }));
  expect(shortfall(first, 'centre')).toBe('ok');
  expect(shortfall(all(movements, raised, first), 'centre')).toBe('turned');
});

test('asks for nothing in the first step and after the last one', () => {
  const far = Array.from({ length: 20 }, () => turned({ yaw: 35 }));
  expect(shortfall(all(['centre', 'left'], far), 'centre')).toBe('ok');
  expect(shortfall({ ...beginning, step: 2 }, undefined)).toBe('ok');
});

test('changes nothing after the last step', () => {
  const movements: Movement[] = ['centre'];
  const done = all(movements, straightOn);
  expect(isDone(done, movements)).toBe(true);
  expect(advance(done, movements, good())).toBe(done);
});
