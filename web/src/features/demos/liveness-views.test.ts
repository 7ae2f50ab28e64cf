import words from '../../../content/demos.json';
import { between, turnOf } from './liveness-views';

const FRONT = { yaw: 0, pitch: 0 };

test('a turn begins and ends where it should, whatever the clock says', () => {
  const left = turnOf('left');
  expect(between(FRONT, left, -1)).toEqual(FRONT);
  expect(between(FRONT, left, 0.5).yaw).toBeCloseTo(left.yaw / 2);
  expect(between(FRONT, left, 7)).toEqual(left);
});

test('the person turns to the left toward the viewer’s right, and the other way', () => {
  expect(turnOf('left').yaw).toBeGreaterThan(20);
  expect(turnOf('right').yaw).toBeLessThan(-20);
});

test('the walk asks for every movement once, and ends with the verdict and its webhook', () => {
  const views = words.livenessVerification.steps.map(({ view }) => view);
  expect(views.filter((view) => turnOf(view) !== turnOf('frame')).sort()).toEqual(['left', 'right', 'up']);
  expect(views.slice(-2)).toEqual(['verdict', 'webhook']);
});
