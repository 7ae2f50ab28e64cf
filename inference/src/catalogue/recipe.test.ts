import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FileOutput, type Recipe, readRecipes, resolveOutputs } from './recipe';

let recipes: Record<string, Recipe>;
beforeAll(async () => {
  recipes = Object.fromEntries((await readRecipes()).map((recipe) => [recipe.id, recipe]));
});
const resolve = (id: string, outputs: readonly FileOutput[]) =>
  resolveOutputs(recipes[id] as Recipe, outputs);

/** Outputs of a detector, one for each stride in this order. */
const grids = (names: readonly string[], last: number) =>
  [12800, 3200, 800].map((cells, i) => ({ name: names[i] as string, shape: [cells, last] }));

/** Names and order of a widespread export of SCRFD. */
const numbered = [
  ...grids(['446', '466', '486'], 1),
  ...grids(['449', '469', '489'], 4),
  ...grids(['452', '472', '492'], 10),
];

test('there is a recipe for each kind of model that the documentation names', () => {
  expect(Object.keys(recipes)).toEqual(['arcface-112', 'scrfd', 'sface', 'yunet']);
});

test('numbered outputs are found by their last dimension, in the order of the file', () => {
  expect(resolve('scrfd', numbered)).toEqual([
    { name: 'score_8', source: '446', shape: [12800, 1] },
    { name: 'score_16', source: '466', shape: [3200, 1] },
    { name: 'score_32', source: '486', shape: [800, 1] },
    { name: 'bbox_8', source: '449', shape: [12800, 4] },
    { name: 'bbox_16', source: '469', shape: [3200, 4] },
    { name: 'bbox_32', source: '489', shape: [800, 4] },
    { name: 'kps_8', source: '452', shape: [12800, 10] },
    { name: 'kps_16', source: '472', shape: [3200, 10] },
    { name: 'kps_32', source: '492', shape: [800, 10] },
  ]);
});

test('a detector without points lacks their outputs', () => {
  const names = resolve('scrfd', numbered.slice(0, 6)).map(({ name }) => name);
  expect(names).toEqual(['score_8', 'score_16', 'score_32', 'bbox_8', 'bbox_16', 'bbox_32']);
});

test('names take precedence over the order of the file', () => {
  const outputs = (recipes.yunet as Recipe).outputs.map(({ name, last = 0 }) => ({ name, shape: [7, last] }));
  expect(resolve('yunet', outputs.toReversed())).toEqual(outputs);
});

test.each([128, 512])('the only output of a file is the embedding, of %i values', (length) => {
  expect(resolve('arcface-112', [{ name: '683', shape: [length] }])).toEqual([
    { name: 'embedding', source: '683', shape: [length] },
  ]);
});

test('an output by the name of the recipe is chosen among others', () => {
  const outputs = [
    { name: 'norm', shape: [1] },
    { name: 'embedding', shape: [512] },
  ];
  expect(resolve('arcface-112', outputs)).toEqual([outputs[1]]);
});

test('missing and ambiguous outputs are refused with a list of those in the file', () => {
  expect(() => resolve('scrfd', numbered.slice(1))).toThrow(
    'the file must have outputs score_8, score_16, score_32, or 3 of any name with the last dimension 1; it has 466 [3200,1], ',
  );
  expect(() => resolve('arcface-112', numbered.slice(0, 2))).toThrow(
    'the file must have an output embedding, or 1 of any name; it has 446 [12800,1], 466 [3200,1]',
  );
});

test('an invalid recipe is refused by file and field', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recipes-'));
  const { id, ...valid } = recipes.yunet as Recipe;
  const input = { ...valid.input, layout: 'rows' };
  writeFileSync(join(folder, 'own.json'), JSON.stringify({ ...valid, input }));
  await expect(readRecipes(folder)).rejects.toThrow(
    'Recipe own.json is not valid: /input/layout must be equal to one of the allowed values',
  );
  rmSync(folder, { recursive: true });
});
