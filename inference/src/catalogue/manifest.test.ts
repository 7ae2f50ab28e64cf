import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ownManifest, ownModelsFolder } from '../../test/own-models';
import { isBuiltInOnnx, isOnnx, readCatalogue, readModels } from './manifest';

type Json = Record<string, unknown>;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
function folderOf(manifests: Record<string, Json | string>): string {
  const folder = ownModelsFolder(manifests);
  folders.push(folder);
  return folder;
}
const folderWith = (changes: Json) => folderOf({ 'own.json': ownManifest(changes) });

const sha256 = 'a'.repeat(64);
const input = { width: 32, height: 32, channels: 3 };

const published = {
  kind: 'published',
  url: 'https://models.example/own.onnx',
  sha256,
  sizeBytes: 1000,
  licenseFile: 'licenses/own.txt',
  wheel: { package: 'weights', version: '1.2.3', sha256, path: 'weights/own.onnx' },
  lack: 'nothing is detected',
};

test('the built-in models come from packages or bring the license of their file, and have unique ids', async () => {
  const catalogue = await readCatalogue();
  for (const manifest of catalogue.filter(isOnnx)) {
    expect(isBuiltInOnnx(manifest) && existsSync(join(manifest.folder, manifest.source.licenseFile))).toBe(
      true,
    );
  }
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
});

test('reads the British spellings of an earlier release as the present names', async () => {
  const { license, ...rest } = ownManifest();
  const { licenseFile, ...source } = published;
  const former = { ...rest, licence: 'CC0', source: { ...source, licenceFile: licenseFile } };
  const [manifest] = await readCatalogue(folderOf({ 'own.json': former }));
  expect(manifest).toMatchObject({ license: 'CC0', source: { licenseFile } });
  expect(manifest).not.toHaveProperty('licence');
});

test.each<[string, Json]>([
  ['licence', { licence: 'MIT' }],
  ['licenceFile', { source: { ...published, licenceFile: 'license.txt' } }],
])('refuses %s beside its present name', async (former, changes) => {
  await expect(readCatalogue(folderWith(changes))).rejects.toThrow(
    `Model manifest own.json has both ${former} and ${former.replace('nce', 'nse')}: remove ${former}`,
  );
});

test("lists an operator's models with the built-in ones, in order", async () => {
  const folder = folderWith({});
  const models = await readModels(folder);
  const ids = models.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort());
  expect(ids).toHaveLength((await readCatalogue()).length + 1);
  const manifest = models.find(({ id }) => id === 'own');
  expect(manifest && isOnnx(manifest) && manifest.folder).toBe(folder);
});

test.each<[string, Json]>([
  ['a file', {}],
  ['an address', { source: { kind: 'https', url: 'https://models.example/own.onnx', sha256 } }],
  ['a published file', { source: published }],
  ['a package', { source: { kind: 'graph', package: 'p', files: [{ path: 'm.json', sha256 }] }, input }],
])('%s can be a source', async (_, changes) => {
  expect(await readCatalogue(folderWith(changes))).toHaveLength(1);
});

test.each<[string, Json, RegExp]>([
  ['no TLS', { source: { kind: 'https', url: 'http://models.example/own.onnx', sha256 } }, /\/source\/url/],
  ['no hash', { source: { kind: 'file', path: 'own.onnx' } }, /\/source must have .*'sha256'/],
  ['a published file without license', { source: { ...published, licenseFile: undefined } }, /licenseFile/],
  [
    'a wheel of any version',
    { source: { ...published, wheel: { ...published.wheel, version: '>1' } } },
    /wheel\/version/,
  ],
  ['an absolute path', { source: { kind: 'file', path: '/own.onnx', sha256 } }, /\/source\/path/],
  ['an unknown kind', { source: { kind: 'ftp', sha256 } }, /\/source .*"kind"/],
  [
    'fields of two kinds',
    { source: { kind: 'file', path: 'own.onnx', sha256, package: 'p' } },
    /\/source must NOT have additional properties/,
  ],
  [
    'code without its class',
    { source: { kind: 'code', package: 'p', files: [{ path: 'm', sha256 }] }, input },
    /'entry'/,
  ],
  ['a file without a layout', { input }, /\/input must have .*'layout'/],
  [
    'a package with a layout',
    { source: { kind: 'graph', package: 'p', files: [{ path: 'm', sha256 }] } },
    /\/input must NOT have additional properties/,
  ],
  ['an unknown decoding', { decoding: { kind: 'yolo', minScore: 0.5 } }, /\/decoding\/kind/],
  ['a clarity without its source', { clarity: { minNorm: 9 } }, /\/clarity must have .*'source'/],
  ['a clarity that no face lacks', { clarity: { minNorm: 0, source: 'none' } }, /\/clarity\/minNorm/],
  ['a score that is no probability', { decoding: { kind: 'yunet', minScore: 5 } }, /\/decoding\/minScore/],
])('%s is refused by field', async (_, changes, fault) => {
  await expect(readCatalogue(folderWith(changes))).rejects.toThrow(
    /^Model manifest own\.json is not valid: /,
  );
  await expect(readCatalogue(folderWith(changes))).rejects.toThrow(fault);
});

test.each<[string, Json, string]>([
  ['means', { input: { ...input, layout: 'NCHW', mean: [1, 2] } }, 'own.json, input.mean: 2 values for 3'],
  ['deviations', { input: { ...input, layout: 'NCHW', std: [1] } }, 'own.json, input.std: 1 values for 3'],
  [
    'positions',
    { alignments: [{ landmarks: [1, 2, 3], positions: [[1, 1]] }] },
    'own.json, alignments.0: 3 landmarks have 1 positions',
  ],
  [
    'an order of one channel',
    { input: { ...input, channels: 1, layout: 'NCHW', order: 'BGR' } },
    'own.json, input.order: only three channels',
  ],
])('%s that do not fit', async (_, changes, sentence) => {
  await expect(readCatalogue(folderWith(changes))).rejects.toThrow(sentence);
});

test('refuses the id of a built-in model', async () => {
  const folder = folderOf({ 'facemesh.json': ownManifest({ id: 'facemesh' }) });
  await expect(readModels(folder)).rejects.toThrow(
    `facemesh.json, id: "facemesh" is a built-in model; give the one in ${folder} another id`,
  );
});

test('refuses a file that is not JSON, or whose name is not its id', async () => {
  await expect(readModels(folderOf({ 'own.json': '{' }))).rejects.toThrow('own.json is not JSON');
  await expect(readModels(folderOf({ 'other.json': ownManifest() }))).rejects.toThrow(
    'other.json has the id "own"',
  );
});

test('refuses a missing folder', async () => {
  await expect(readModels('/nowhere/models')).rejects.toThrow(
    'MODELS_FOLDER names /nowhere/models, which cannot be read (ENOENT)',
  );
});
