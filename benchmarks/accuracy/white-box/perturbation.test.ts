import { randomFrom } from '../../../gateway/test/liveness/people/random';
import probe from '../../../inference/src/pipeline/liveness/smear-probe.json';
import { ovalMesh } from './oval-mesh.mjs';
import { patternFor, smearTarget } from './perturbation.mjs';
import { cropOf, smearOf } from './smear-target.mjs';

const [width, height] = [240, 240];
const random = randomFrom(5);
const luma = {
  values: Float32Array.from(
    { length: width * height },
    (_, i) => 120 + 50 * Math.sin((i % width) / 8) + 10 * random.next(),
  ),
  width,
  height,
};
const points = ovalMesh({ center: [119, 117], radii: [56, 73], forehead: [120, 45], chin: [118, 190] });
const face = { points, pose: { yaw: 30, pitch: 0 } };
const effort = { amplitude: 8, steps: 10, samples: 2, noise: 1 };
const scoreOf = (pattern: Float32Array, shift = 0) => {
  const values = luma.values.map((value, i) => value + (pattern[i] as number));
  const crop = cropOf(points, face.pose.yaw);
  return smearOf(probe, { ...luma, values }, { ...crop, x: crop.x + shift }).logOdds;
};

test('a pattern of bounded amplitude lowers the log-odds, also for a crop that is shifted', () => {
  const before = scoreOf(new Float32Array(luma.values.length));
  const target = smearTarget(probe, before - 4, () => true);
  const pattern = patternFor(luma, face, [target], effort, randomFrom(1)) as Float32Array;
  expect(Math.max(...pattern.map(Math.abs))).toBeLessThanOrEqual(effort.amplitude);
  expect(scoreOf(pattern)).toBeLessThan(before - 3);
  expect(scoreOf(pattern, 5)).toBeLessThan(before - 3);
});

test('a face that no target measures gets no pattern', () => {
  const target = smearTarget(probe, 0, () => false);
  expect(patternFor(luma, face, [target], effort, randomFrom(1))).toBeUndefined();
});
