import texts from '../../../content/demos.json';
import { between, turnOf } from './liveness-views';

const FRONT = { yaw: 0, pitch: 0 };

test('a turn starts and ends at its poses, even with a clock outside of the range', () => {
  const left = turnOf('left');
  expect(between(FRONT, left, -1)).toEqual(FRONT);
  expect(between(FRONT, left, 0.5).yaw).toBeCloseTo(left.yaw / 2);
  expect(between(FRONT, left, 7)).toEqual(left);
});

test('a turn to the person’s left goes to the viewer’s right, and vice versa', () => {
  expect(turnOf('left').yaw).toBeGreaterThan(20);
  expect(turnOf('right').yaw).toBeLessThan(-20);
});

test('the walk-through requests every movement once, and ends with verdict and webhook', () => {
  const views = texts.livenessVerification.steps.map(({ view }) => view);
  expect(views.filter((view) => turnOf(view) !== turnOf('frame')).sort()).toEqual(['left', 'right', 'up']);
  expect(views.slice(-2)).toEqual(['verdict', 'webhook']);
});
