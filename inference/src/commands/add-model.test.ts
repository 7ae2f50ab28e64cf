/** Real files through the real compiler: a small graph in place of an embedding. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { meansModel } from '../../test/own-models';
import { defaultModelCache } from '../catalogue/paths';
import { type Recipe, readRecipes } from '../catalogue/recipe';
import { type AddModel, addModel } from './add-model';

let root: string;
let cache: string;
let folder: string;
let recipe: Recipe;

beforeAll(async () => {
  const [arcface] = await readRecipes();
  recipe = {
    ...(arcface as Recipe),
    id: 'means',
    input: { width: 32, height: 32, channels: 3, layout: 'NCHW' },
  };
});
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'add-'));
  cache = join(root, 'cache');
  folder = join(root, 'models');
  mkdirSync(cache);
  // The models that find faces.
  const compiled = process.env.MODELS_CACHE ?? defaultModelCache;
  for (const name of readdirSync(compiled)) symlinkSync(join(compiled, name), join(cache, name));
  writeFileSync(join(root, 'file.onnx'), meansModel(32, '683'));
});
afterEach(() => rmSync(root, { recursive: true }));

const add = (changes: Partial<AddModel> = {}) =>
  addModel({
    id: 'own',
    recipe,
    source: join(root, 'file.onnx'),
    license: 'CC0',
    trainingData: 'none',
    folder,
    cache,
    ...changes,
  });

test('adds the file, its manifest and the compiled model, and nothing else', async () => {
  const manifest = await add();
  expect(readdirSync(folder)).toEqual(['own.json', 'own.onnx']);
  expect(readFileSync(join(folder, 'own.onnx'))).toEqual(readFileSync(join(root, 'file.onnx')));
  expect(readdirSync(cache).filter((name) => name.startsWith('own-'))).toHaveLength(1);
  expect(manifest).toMatchObject({
    id: 'own',
    license: 'CC0',
    trainingData: 'none',
    source: { kind: 'file', path: 'own.onnx', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    outputs: [{ name: 'embedding', source: '683', shape: [4] }],
    alignments: recipe.alignments,
    folder,
  });
});

test('accepts the expected hash', async () => {
  const { source } = await add();
  await expect(add({ id: 'second', sha256: source.sha256.toUpperCase() })).resolves.toHaveProperty(
    'id',
    'second',
  );
});

test.each<[string, () => Partial<AddModel>, string]>([
  ['another file', () => ({ sha256: '0'.repeat(64) }), `not ${'0'.repeat(64)}`],
  ['no file', () => ({ source: join(root, 'nothing') }), 'nothing cannot be read (ENOENT)'],
  [
    'a page in place of the file',
    () => {
      writeFileSync(join(root, 'file.onnx'), '<!DOCTYPE html><html>');
      return {};
    },
    'own.json, source: not a whole ONNX file, it begins with "<!DOCTYPE html><html"',
  ],
  [
    'an input of another size',
    () => ({ recipe: { ...recipe, input: { ...recipe.input, width: 112, height: 112 } } }),
    'own.json, input.height is 112, the file wants 32',
  ],
  [
    'outputs of another kind',
    () => ({ recipe: { ...recipe, outputs: [{ name: 'a' }, { name: 'b' }] } }),
    'the file must have outputs a, b, or 2 of any name; it has 683 [4]\nUse a recipe that fits the file',
  ],
  [
    'a model that does not fit its role',
    () => ({ recipe: { ...recipe, outputs: [{ name: 'features' }] } }),
    'The model own cannot be embedding: own.json, outputs must have "embedding"',
  ],
  [
    'images of nobody',
    () => {
      mkdirSync(join(root, 'people'));
      return { people: join(root, 'people') };
    },
    'people must contain a folder of images for each person\nWithout --people, the model is added',
  ],
])('%s leaves nothing behind', async (_, changes, sentence) => {
  const before = readdirSync(cache);
  await expect(add(changes())).rejects.toThrow(sentence);
  expect(readdirSync(folder)).toEqual([]);
  expect(readdirSync(cache)).toEqual(before);
});

test('names a folder that cannot be written', async () => {
  await expect(add({ folder: join(root, 'file.onnx') })).rejects.toThrow(
    `${join(root, 'file.onnx')} cannot be written (EEXIST); set MODELS_FOLDER to a folder of yours`,
  );
});
