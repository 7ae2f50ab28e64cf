/** Calibration over real models: a small crowd, cut from the photographs of the installed packages. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { photo } from '../../test/photos';
import { servingModels } from '../../test/setup';
import { type ModelManifest, readCatalogue } from '../catalogue/manifest';
import { defaultModelCache } from '../catalogue/paths';
import { calibrate } from './calibrate';

const cache = process.env.MODELS_CACHE ?? defaultModelCache;
let folder: string;
let manifests: ModelManifest[];
let finders: Awaited<ReturnType<typeof servingModels>>['models'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'people-'));
  manifests = await readCatalogue();
  finders = (await servingModels()).models;
});
afterAll(() => rmSync(folder, { recursive: true }));

const manifestOf = (id: string) => manifests.find((manifest) => manifest.id === id) as ModelManifest;

test('refuses too few people after it has read every image', async () => {
  for (const [person, files] of Object.entries({ a: [1, 2], b: [4] })) {
    mkdirSync(join(folder, person));
    for (const number of files) writeFileSync(join(folder, person, `${number}.jpg`), photo(number));
  }
  writeFileSync(join(folder, 'b', 'notes.txt'), 'not an image');
  mkdirSync(join(folder, 'b', 'thumbnails'));
  const seen: [number, number][] = [];
  const calibrating = calibrate({
    manifest: manifestOf('face-recognition'),
    finders,
    cache,
    folder,
    onProgress: (...progress) => seen.push(progress),
  });
  await expect(calibrating).rejects.toThrow('2 pairs of different people are too few');
  expect(seen).toEqual([1, 2, 3, 4].map((done) => [done, 4]));
});

test('only a model that embeds faces can be calibrated', async () => {
  const options = { finders, cache, folder };
  await expect(calibrate({ ...options, manifest: manifestOf('facemesh') })).rejects.toThrow(
    'The model facemesh cannot be embedding: facemesh.json, task is face-landmarks',
  );
  await expect(calibrate({ ...options, manifest: manifestOf('faceres') })).rejects.toThrow(
    'The model faceres cannot be embedding: faceres.json, ',
  );
});

test('refuses a missing folder', async () => {
  const options = { finders, cache, manifest: manifestOf('face-recognition') };
  await expect(calibrate({ ...options, folder: '/nowhere' })).rejects.toThrow(
    '/nowhere cannot be read (ENOENT)',
  );
});
