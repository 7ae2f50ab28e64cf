/**
 * The near path on every GPU of this machine against the general path on the CPU: portraits of the installed packages, and
 * more of the folder BENCH_DATA where it is set.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { decodeImage } from '../../src/pipeline/image/decode';
import { differencesOf, generalPath, openNearPath } from '../near-paths';
import { photo } from '../photos';
import { probeNow } from '../probe';

const minutes = 60_000;
const maxDifference = 1e-3;

/** Photographs with one face or several, and a few of LFW. */
function material(): Buffer[] {
  const folder = process.env.BENCH_DATA;
  if (!folder || !existsSync(folder)) return [];
  const jpegs = (name: string) => readdirSync(join(folder, name)).filter((file) => file.endsWith('.jpg'));
  const faces = jpegs('faces').map((file) => join(folder, 'faces', file));
  const lfw = jpegs('lfw/images').map((file) => join(folder, 'lfw', 'images', file));
  return [...faces, ...lfw.filter((_, i) => i % 400 === 0)].map((file) => readFileSync(file));
}

const portraits = () =>
  Promise.all(
    [250, 440, 900].map((width) =>
      sharp(photo(1))
        .extract({ left: 291, top: 330, width: 440, height: 330 })
        .resize(width)
        .png()
        .toBuffer(),
    ),
  );

describe.each(['webgpu', 'cuda'] as const)('%s', (device) => {
  const testOnDevice = probeNow(device).works ? test : test.skip;

  testOnDevice(
    'every face that the near path takes equals the face of the general path on the CPU',
    async () => {
      const files = [...(await portraits()), ...material()];
      const images = await Promise.all(files.map((file) => decodeImage(file, 1536)));
      const expected = await (await generalPath())(images);
      const nearPath = await openNearPath(device);
      const faces = await nearPath.run(images);
      await nearPath.close();
      expect(faces.slice(0, 3)).not.toContain(undefined);
      for (const [i, face] of faces.entries()) {
        const [expectedFace, ...others] = expected[i] ?? [];
        if (!face) continue;
        if (!expectedFace) throw new Error(`Image ${i} has no face on the general path`);
        expect(others).toEqual([]);
        const image = images[i] as (typeof images)[number];
        for (const difference of Object.values(differencesOf(face, expectedFace, image))) {
          expect(difference).toBeLessThan(maxDifference);
        }
      }
    },
    30 * minutes,
  );
});
