/**
 * The pose of heads that are turned by known angles.
 *
 * Slow: it runs the models on a photo for each angle.
 */
import sharp from 'sharp';
import { photo } from '../../../test/photos';
import { loadModel } from '../../../test/pipeline-models';
import type { FaceModels } from '../faces/face';
import { findFaces } from '../faces/find-faces';
import { decodeImage } from '../image/decode';
import { poseOf } from './pose';

const radians = Math.PI / 180;

/** Rz(roll) Ry(yaw) Rx(pitch) applied to a point; x to the right, y down, z away; positive yaw moves the nose right. */
function turned([x, y, z]: readonly number[], yaw: number, pitch: number, roll: number): number[] {
  const about = (angle: number) => [Math.cos(angle * radians), Math.sin(angle * radians)] as const;
  const [cp, sp] = about(pitch);
  const [cy, sy] = about(yaw);
  const [cr, sr] = about(roll);
  const [y1, z1] = [cp * (y as number) + sp * (z as number), cp * (z as number) - sp * (y as number)];
  const [x2, z2] = [cy * (x as number) - sy * z1, cy * z1 + sy * (x as number)];
  return [cr * x2 - sr * y1, sr * x2 + cr * y1, z2];
}

let models: FaceModels;

beforeAll(async () => {
  const [near, thorough, mesh] = await Promise.all(
    ['yunet-256', 'yunet', 'facemesh'].map((id) => loadModel(id)),
  );
  models = { near, thorough, mesh } as FaceModels;
});

/** Mesh of the largest face of an image. */
async function meshIn(image: Buffer) {
  const [faces] = await findFaces(models, [await decodeImage(image, 1536)]);
  const [largest] = faces ?? [];
  if (!largest) throw new Error('No face');
  return largest.mesh;
}

test.each([
  [0, 0, 0],
  [40, 0, 0],
  [0, -30, 0],
  [0, 0, 120],
  [-35, 20, 10],
  [60, -25, -170],
])('a head turned by yaw %d, pitch %d and roll %d has that pose', async (yaw, pitch, roll) => {
  // A real mesh, first turned upright by its own pose, so that what is left is the turn of the test.
  const { points, depth } = await meshIn(photo(4));
  const meshPose = poseOf({ points, depth });
  const head = Array.from(depth, (z, i) => [points[2 * i] as number, points[2 * i + 1] as number, z]);
  const upright = head.map((point) => {
    // The inverse turns in the opposite order.
    const unrolled = turned(point, 0, 0, -meshPose.roll);
    return turned(turned(unrolled, -meshPose.yaw, 0, 0), 0, -meshPose.pitch, 0);
  });
  const placed = upright.map((point) => turned(point, yaw, pitch, roll).map((value) => 3 * value + 50));
  const pose = poseOf({
    points: Float32Array.from(placed.flatMap(([x, y]) => [x as number, y as number])),
    depth: Float32Array.from(placed, ([, , z]) => z as number),
  });
  expect(pose.yaw).toBeCloseTo(yaw, 2);
  expect(pose.pitch).toBeCloseTo(pitch, 2);
  expect(pose.roll).toBeCloseTo(roll, 2);
});

test('mirroring a photograph turns yaw and roll around; turning it changes roll alone', async () => {
  const { width = 0, height = 0 } = await sharp(photo(6)).metadata();
  // The woman on the right: her head leans to her left, she looks a little to her right.
  const [left, top] = [Math.round(0.74 * width), Math.round(0.05 * height)];
  const area = { left, top, width: width - left, height: Math.round(0.5 * height) };
  const face = await sharp(photo(6)).extract(area).png().toBuffer();
  const plain = poseOf(await meshIn(face));
  const mirrored = poseOf(await meshIn(await sharp(face).flop().toBuffer()));
  const tilted = poseOf(await meshIn(await sharp(face).rotate(30).toBuffer()));
  expect(plain.yaw).toBeLessThan(-4);
  expect(plain.roll).toBeGreaterThan(10);
  expect(Math.abs(mirrored.yaw + plain.yaw)).toBeLessThan(4);
  expect(Math.abs(mirrored.roll + plain.roll)).toBeLessThan(4);
  expect(Math.abs(mirrored.pitch - plain.pitch)).toBeLessThan(4);
  expect(Math.abs(tilted.roll - plain.roll - 30)).toBeLessThan(4);
  expect(Math.abs(tilted.yaw - plain.yaw)).toBeLessThan(4);
});
