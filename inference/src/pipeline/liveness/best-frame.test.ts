import { bestOf } from './best-frame';

const face = (yaw: number, sharpness: number, pitch = 0) => ({
  pose: { yaw, pitch, roll: 0 },
  quality: { brightness: 0.5, sharpness },
});

test.each([
  ['the sharpest of the frontal ones', [face(0, 0.4), face(12, 0.6), face(30, 0.9)], 1],
  ['the least turned if none is frontal', [face(40, 0.9), face(-25, 0.3), face(20, 0.4, 30)], 1],
  ['none of none', [], undefined],
])('%s', (_name, faces, best) => {
  expect(bestOf(faces)).toBe(best);
});
