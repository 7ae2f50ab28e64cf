import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownManifest, ownModelsFolder } from '../../test/own-models';
import { compiledPath } from '../catalogue/compiled-path';
import { type ModelManifest, readModels } from '../catalogue/manifest';
import { defaultModelCache } from '../catalogue/paths';
import { ensureCompiled } from '../compiler/compile';
import { modelRoles } from '../pipeline/operations';
import { parseChosenModels } from './model-roles';
import { findServingModels } from './serving-models';

const cache = process.env.MODELS_CACHE ?? defaultModelCache;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

type Json = Record<string, unknown>;

const folderOf = (changes: Json) => {
  const folder = ownModelsFolder({ 'own.json': ownManifest(changes) });
  folders.push(folder);
  return folder;
};

test('the default models fill their roles', async () => {
  const { models, manifestData } = await findServingModels(cache);
  expect(Object.keys(models).sort()).toEqual([...modelRoles].sort());
  expect(models.near).toMatchObject({ id: 'yunet-256', decoding: { kind: 'yunet' } });
  expect(manifestData.minNorm).toBeGreaterThan(0);
});

test("an operator's compiled model fills the assigned role, with its own alignments", async () => {
  const folder = folderOf({ outputs: [{ name: 'embedding', shape: [1, 4] }] });
  const manifest = (await readModels(folder)).find(({ id }) => id === 'own') as ModelManifest;
  const chosen = { embedding: 'own' };
  await expect(findServingModels(cache, { folder, chosen })).rejects.toThrow(
    'The model own is not compiled, or its file is damaged; run "npm run models -- compile"',
  );

  const bothCaches = mkdtempSync(join(tmpdir(), 'cache-'));
  folders.push(bothCaches);
  for (const name of readdirSync(cache)) symlinkSync(join(cache, name), join(bothCaches, name));
  await ensureCompiled(manifest, bothCaches);
  const { models, manifestData } = await findServingModels(bothCaches, { folder, chosen });
  expect(models.embedding).toMatchObject({ id: 'own', folder, input: { width: 32 } });
  expect(models.near.id).toBe('yunet-256');
  expect(manifestData).toMatchObject({ alignments: manifest.alignments, calibration: manifest.calibration });
  expect(manifestData).not.toHaveProperty('minNorm');
});

describe('without the file of the default embedding', () => {
  let incomplete: string;
  beforeEach(() => {
    incomplete = mkdtempSync(join(tmpdir(), 'cache-'));
    folders.push(incomplete);
    for (const name of readdirSync(cache))
      if (!name.startsWith('sface-')) symlinkSync(join(cache, name), join(incomplete, name));
  });

  test('its fallback serves, and a sentence says so', async () => {
    const { models, manifestData, missing } = await findServingModels(incomplete);
    const fallback = (await readModels()).find(({ id }) => id === 'face-recognition') as ModelManifest;
    expect(models.embedding.id).toBe(fallback.id);
    expect(manifestData.alignments).toEqual(fallback.alignments);
    expect(manifestData.calibration).toEqual(fallback.calibration);
    expect(missing).toEqual([
      expect.stringMatching(
        /^sface is missing; without it, face-recognition takes its place, .*; "npm run models -- compile sface" adds it later$/,
      ),
    ]);
    expect((await findServingModels(cache)).missing).toEqual([]);
  });

  test('an explicit choice of it is refused', async () => {
    await expect(findServingModels(incomplete, { chosen: { embedding: 'sface' } })).rejects.toThrow(
      'The model sface is not compiled',
    );
  });

  test('a damaged file stays an error', async () => {
    const [sface] = (await readModels()).filter(({ id }) => id === 'sface') as [ModelManifest];
    writeFileSync(compiledPath(sface, incomplete), 'cut off');
    await expect(findServingModels(incomplete)).rejects.toThrow(
      'The model sface is not compiled, or its file',
    );
  });
});

test('TFJS needs the compiled files of ONNX models, and none of packages', async () => {
  const chosen = { near: 'yunet-256', thorough: 'yunet', embedding: 'sface' };
  const options = { chosen, backend: 'tfjs' } as const;
  const onlyOnnx = mkdtempSync(join(tmpdir(), 'cache-'));
  folders.push(onlyOnnx);
  await expect(findServingModels(onlyOnnx, options)).rejects.toThrow(
    /^The model (yunet-256|yunet|sface) is not compiled, /,
  );
  for (const name of readdirSync(cache).filter((each) => /^(yunet|sface)-/.test(each))) {
    symlinkSync(join(cache, name), join(onlyOnnx, name));
  }
  const { models } = await findServingModels(onlyOnnx, options);
  expect([models.near.id, models.mesh.id]).toEqual(['yunet-256', 'facemesh']);
});

describe('one sentence refuses', () => {
  const bare = { alignments: undefined, calibration: undefined };
  const detector = { ...bare, task: 'face-detection' };
  test.each<[string, string, Json, string]>([
    ['an unknown role', 'eyes=iris', {}, 'INFERENCE_MODELS: there is no role "eyes"; the roles are near, '],
    [
      'an unknown model',
      'near=yolo',
      {},
      'INFERENCE_MODELS: there is no model "yolo" for near; the models are age-',
    ],
    [
      'a model of another task',
      'thorough=facemesh',
      {},
      'The model facemesh cannot be thorough: facemesh.json, task is face-landmarks, it must be face-detection',
    ],
    [
      'landmarks of another kind',
      'mesh=own',
      { ...bare, task: 'face-landmarks', outputs: [{ name: 'landmarks', shape: [136] }] },
      'own.json, outputs must have "mesh" with 1404 values per image, the model lacks it',
    ],
    ['a detector that nobody can read', 'near=own', detector, 'own.json, decoding is missing'],
    [
      'a detector whose outputs are not those of its decoding',
      'near=own',
      { ...detector, decoding: { kind: 'yunet', minScore: 0.5 } },
      'own.json, outputs must have "cls_8" with 16 values per image, the model lacks it',
    ],
    [
      'an output of another size',
      'near=own',
      {
        ...detector,
        decoding: { kind: 'scrfd', minScore: 0.5 },
        outputs: [
          { name: 'score_8', shape: [16, 1] },
          { name: 'bbox_8', shape: [15, 4] },
        ],
      },
      'own.json, outputs must have "bbox_8" with 64 values per image, the model has 60',
    ],
    [
      'an input that is not square',
      'embedding=own',
      { input: { width: 32, height: 16, channels: 3, layout: 'NCHW' } },
      'own.json, input must be square',
    ],
    [
      'a grey input',
      'embedding=own',
      { input: { width: 32, height: 32, channels: 1, layout: 'NCHW' } },
      'own.json, input.channels is 1, it must be 3',
    ],
    ['an embedding that is not aligned', 'embedding=own', bare, 'own.json, alignments is missing'],
    [
      'an embedding without calibration',
      'embedding=own',
      { calibration: undefined },
      'own.json, calibration is missing; it turns distances into similarities: "npm run models -- calibrate own FOLDER --write"',
    ],
    [
      'an embedding by another name',
      'embedding=own',
      { outputs: [{ name: 'features', shape: [4] }] },
      'own.json, outputs must have "embedding"',
    ],
    [
      'other classes',
      'moderation=own',
      { task: 'moderation', outputs: [{ name: 'probabilities', shape: [4] }] },
      'own.json, outputs must have "probabilities" with 5 values per image, the model has 4',
    ],
  ])('%s', async (_, choice, changes, sentence) => {
    const serving = findServingModels(cache, {
      folder: folderOf(changes),
      chosen: parseChosenModels(choice),
    });
    await expect(serving).rejects.toThrow(sentence);
  });
});
