import guidance from '@presenza/contract/schemas/liveness-guidance.json';
import hints from '@presenza/contract/schemas/liveness-hint.json';
import { versionDates } from '../contract/versions';
import type { Guidance } from './capture/guidance';
import { withKnownGuidance, withKnownHint } from './earlier-api-versions';
import type { Hint } from './session/session';

const [newest, first] = [versionDates[0] as string, versionDates.at(-1) as string];

/** The values of the first version. */
const known = {
  guidance: [
    'ok',
    'noFace',
    'severalFaces',
    'tooFar',
    'tooClose',
    'offCentre',
    'tooDark',
    'tooBright',
    'turned',
  ],
  hints: ['lighting', 'movement', 'oneFace', 'retry'],
};

test('clients of the first version get only guidance that it has', () => {
  for (const value of guidance.enum as Guidance[]) {
    const shown = withKnownGuidance({ guidance: value, done: false }, first);
    expect(known.guidance).toContain(shown.guidance);
    if (known.guidance.includes(value)) expect(shown.guidance).toBe(value);
  }
  expect(withKnownGuidance({ guidance: 'turnFurther' }, first)).toEqual({ guidance: 'ok' });
});

test('clients of the first version get only hints that it has', () => {
  for (const hint of hints.enum as Hint[]) {
    const shown = withKnownHint({ hint, attemptsLeft: 1 }, first);
    expect(known.hints).toContain(shown.hint);
    if (known.hints.includes(hint)) expect(shown.hint).toBe(hint);
  }
  expect(withKnownHint({}, first)).toEqual({});
});

test('clients of the newest version get all values', () => {
  for (const value of guidance.enum as Guidance[]) {
    expect(withKnownGuidance({ guidance: value }, newest)).toEqual({ guidance: value });
  }
  for (const hint of hints.enum as Hint[]) expect(withKnownHint({ hint }, newest)).toEqual({ hint });
});
