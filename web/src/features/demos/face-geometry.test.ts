import { boxOf, poseLines } from './face-geometry';

const face = { boundingBox: { left: 0.25, top: 0.5, width: 0.5, height: 0.25 } };
const image = { width: 400, height: 200 };

test('a box is in pixels of its image', () => {
  expect(boxOf(face, image)).toEqual({ x: 100, y: 100, width: 200, height: 50 });
});

test.each([
  ['looks ahead', { yaw: 0, pitch: 0, roll: 0 }, [0, 0, 0, -100]],
  ['turns toward its own left', { yaw: 90, pitch: 0, roll: 0 }, [200, 0, 0, -100]],
  ['looks up', { yaw: 0, pitch: 90, roll: 0 }, [0, -200, 0, 0]],
  ['leans toward its own left shoulder', { yaw: 0, pitch: 0, roll: 90 }, [0, 0, 100, 0]],
])('the pose of a face that %s points there', (_, pose, expected) => {
  const numbers = poseLines(boxOf(face, image), pose).matchAll(/l(-?[\d.]+) (-?[\d.]+)/g);
  expect([...numbers].flatMap(([, across, down]) => [Number(across) + 0, Number(down) + 0])).toEqual(
    expected,
  );
});
