import type { CaptureState } from './capture-store';
import type { Movement } from './evidence';
import type { GuidedFace } from './guidance';
import { nextState } from './next-state';
import { beginning } from './steps';

const movements: Movement[] = ['centre', 'left'];
const state: CaptureState = {
  progress: beginning,
  guidance: 'noFace',
  kept: [],
  unseen: 0,
  clientFaults: [],
};
const face: GuidedFace = {
  boundingBox: { left: 0.3, top: 0.25, width: 0.4, height: 0.5 },
  quality: { brightness: 0.5, sharpness: 0.5 },
  attributes: { pose: { yaw: 2, pitch: 1, roll: 0 } },
};

test('counts and selects a good frame for its step', () => {
  const next = nextState({ movements, state }, 1, [face]);
  expect(next).toEqual({
    step: 0,
    state: {
      progress: { ...beginning, share: 0.2, seen: 1, poses: [{ yaw: 2, pitch: 1 }] },
      guidance: 'ok',
      kept: [[1]],
      unseen: 0,
      clientFaults: [],
    },
    dropped: undefined,
    isKept: true,
  });
});

test('makes no progress with a problem frame', () => {
  const dark = { ...face, quality: { brightness: 0.01, sharpness: 0.5 } };
  const next = nextState({ movements, state }, 1, [dark]);
  expect(next.state).toMatchObject({ guidance: 'tooDark', progress: { step: 0, share: 0 } });
  expect(next.isKept).toBe(true);
});

test('asks for more while a turn is too small', () => {
  const turning = { ...state, progress: { ...beginning, step: 1, armed: true, seen: 20 } };
  const at = (yaw: number) => ({ ...face, attributes: { pose: { yaw, pitch: 0, roll: 0 } } });
  const guidanceAt = (seen: GuidedFace) =>
    nextState({ movements, state: turning }, 30, [seen]).state.guidance;
  expect(guidanceAt(at(20))).toBe('turnFurther');
  expect(guidanceAt(at(30))).toBe('ok');
  const far = { ...at(20), boundingBox: { left: 0.4, top: 0.4, width: 0.1, height: 0.15 } };
  expect(guidanceAt(far)).toBe('tooFar');
});

test('selects a frame that was not analyzed and changes nothing else', () => {
  const next = nextState({ movements, state }, 1, undefined);
  expect(next.state).toEqual({ ...state, kept: [[1]], unseen: 1 });
});

test('notes each frame without a face, except in the first step, where users still find their position', () => {
  const turning = { ...state, progress: { ...beginning, step: 1 } };
  const first = nextState({ movements, state: turning }, 7, []);
  const next = nextState({ movements, state: first.state }, 8, [face]);
  expect(nextState({ movements, state: next.state }, 9, []).state.faceless).toEqual([7, 9]);
  expect(nextState({ movements, state }, 1, []).state).not.toHaveProperty('faceless');
});

test('selects the frame that completes a step for that step', () => {
  const progress = { ...beginning, poses: Array.from({ length: 4 }, () => ({ yaw: 0, pitch: 0 })) };
  const next = nextState({ movements, state: { ...state, progress } }, 9, [face]);
  expect(next.step).toBe(0);
  expect(next.state).toMatchObject({ progress: { step: 1 }, kept: [[9]] });
});

test('only counts frames after the last step', () => {
  const done = { ...state, progress: { ...beginning, step: 2 }, kept: [[1], [2]] };
  expect(nextState({ movements, state: done }, 3, [face])).toMatchObject({
    step: 2,
    state: { kept: [[1], [2]], progress: { step: 2 } },
    isKept: false,
  });
});
