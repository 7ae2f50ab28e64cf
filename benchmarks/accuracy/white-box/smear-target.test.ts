import { DecodedImage } from '../../../inference/src/pipeline/image/decoded-image';
import { smearFeatures } from '../../../inference/src/pipeline/liveness/smear';
import probe from '../../../inference/src/pipeline/liveness/smear-probe.json';
import { ovalMesh } from './oval-mesh.mjs';
import { cropOf, smearOf } from './smear-target.mjs';

const [width, height] = [300, 320];
const luma = {
  values: Float32Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    return Math.round(120 + 60 * Math.sin(x / 9 + y / 31) + 40 * Math.cos(y / 7 - x / 23));
  }),
  width,
  height,
};
const points = ovalMesh({ center: [145, 163], radii: [62, 82], forehead: [151, 82], chin: [139, 245] });

test.each([28, -28])('agrees with the probe of the tier at a yaw of %d degrees', (yaw) => {
  const rgb = Uint8Array.from(
    { length: 3 * width * height },
    (_, i) => luma.values[Math.floor(i / 3)] as number,
  );
  const image = DecodedImage.fromRgb(rgb, width, height);
  const features = smearFeatures(image, Float32Array.from(points.flat()), yaw);
  const logOdds = features.reduce((sum, value, i) => sum + value * (probe.weights[i] as number), probe.bias);
  // The tier rounds the sampled levels.
  expect(smearOf(probe, luma, cropOf(points, yaw)).logOdds).toBeCloseTo(logOdds, 1);
});

test('its gradient predicts the change of the log-odds', () => {
  const crop = cropOf(points, -28);
  const gradient = new Float32Array(luma.values.length);
  const { logOdds, addGradient } = smearOf(probe, luma, crop);
  addGradient(gradient, 1);
  const step = 0.05;
  const direction = gradient.map(Math.sign);
  const moved = luma.values.map((value, i) => value + step * (direction[i] as number));
  const expected = gradient.reduce((sum, value, i) => sum + value * step * (direction[i] as number), 0);
  const change = smearOf(probe, { ...luma, values: moved }, crop).logOdds - logOdds;
  expect(expected).toBeGreaterThan(0.01);
  expect(change / expected).toBeCloseTo(1, 1);
});
