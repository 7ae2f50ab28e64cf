import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ownManifest, ownModelsFolder } from '../../test/own-models';
import { writeCalibration } from './calibrate';

test('a manifest of an earlier release gets the present name of its license with its calibration', async () => {
  const { license, ...rest } = ownManifest();
  const folder = ownModelsFolder({ 'own.json': { ...rest, licence: license } });
  const path = join(folder, 'own.json');
  const calibration = {
    source: 'photos',
    curve: [
      [0, 1],
      [2, 0],
    ] as const,
  };
  await writeCalibration(path, calibration);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(ownManifest({ calibration }));
  await rm(folder, { recursive: true });
});
