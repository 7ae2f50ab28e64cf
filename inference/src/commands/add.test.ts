/** The checks and the question before anything is written. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { meansModel } from '../../test/own-models';
import { readCatalogue } from '../catalogue/manifest';
import { type AddContext, type AddValues, add, askOnTerminal } from './add';
import { UsageError } from './usage-error';

let root: string;
let folder: string;
let printed: jest.SpyInstance[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'add-'));
  folder = join(root, 'models');
  writeFileSync(join(root, 'file.onnx'), meansModel(112));
  printed = (['log', 'error'] as const).map((name) => jest.spyOn(console, name).mockImplementation());
});
afterEach(() => {
  for (const spy of printed) spy.mockRestore();
  rmSync(root, { recursive: true });
});

const values: AddValues = { id: 'own', recipe: 'arcface-112', license: 'CC0', 'training-data': 'none' };

const run = async (changes: AddValues = {}, context: Partial<AddContext> = {}, sources = ['file.onnx']) =>
  add(
    sources,
    { ...values, ...changes },
    {
      catalogue: await readCatalogue(),
      folder,
      cache: join(root, 'cache'),
      resolvePath: (path) => resolve(root, path),
      ask: undefined,
      ...context,
    },
  );

test.each<[string, AddValues, string]>([
  ['no terms in a script', {}, '--accept-license is missing: in a script, it confirms that you may use'],
  ['no license', { license: ' ' }, '--license is missing; '],
  ['no training data', { 'training-data': '' }, '--training-data is missing; '],
  [
    'an unknown recipe',
    { recipe: 'yolo' },
    'There is no recipe yolo; the recipes are arcface-112, scrfd, sface, yunet',
  ],
  ['an id of other characters', { id: 'My_Model' }, '--id My_Model: use lower-case letters and digits'],
  ['the id of a built-in model', { id: 'facemesh' }, 'facemesh is the id of a built-in model'],
  [
    'images for a detector',
    { recipe: 'yunet', people: '.' },
    '--people calibrates an embedding, and the recipe yunet',
  ],
  ['images that are missing', { people: 'nobody' }, 'nobody cannot be read (ENOENT)'],
])('refuses %s', async (_, changes, sentence) => {
  const refused = run(changes);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
  await expect(refused).rejects.toThrow(sentence);
  expect(existsSync(folder)).toBe(false);
});

test('refuses to work without a folder or a file', async () => {
  await expect(run({}, { folder: undefined })).rejects.toThrow('MODELS_FOLDER is not set: ');
  await expect(run({}, {}, [])).rejects.toThrow('Name one FILE or URL to add');
  await expect(run({}, {}, ['nothing.onnx'])).rejects.toThrow('nothing.onnx cannot be read (ENOENT)');
  for (const address of ['https://', 'http://localhost/file.onnx']) {
    await expect(run({}, {}, [address])).rejects.toThrow('a valid one that begins with https://');
  }
});

test('shows license and training data, and adds the model after a yes', async () => {
  const ask = jest.fn(async () => 'yes');
  await run({}, { ask });
  expect(console.error).toHaveBeenCalledWith('own\n  License:       CC0\n  Training data: none');
  expect(ask).toHaveBeenCalledTimes(1);
  expect(readdirSync(folder)).toEqual(['own.json', 'own.onnx']);
  expect(console.log).toHaveBeenLastCalledWith('Use it: INFERENCE_MODELS=embedding=own npm start');

  for (const taken of ['own.json', 'own.onnx']) {
    await expect(run({ 'accept-license': true })).rejects.toThrow(`${join(folder, taken)} already exists`);
    rmSync(join(folder, taken));
  }
});

test.each(['no', '', 'yesterday'])('the reply %j adds nothing', async (reply) => {
  await expect(run({}, { ask: async () => reply })).rejects.toThrow('Nothing was added.');
  expect(existsSync(folder)).toBe(false);
});

test('reads one line from the terminal, and an empty one at its end', async () => {
  const shown = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const input = new PassThrough();
  const reply = askOnTerminal('Sure? ', input);
  input.write('yes\nmore\n');
  expect(await reply).toBe('yes');
  // An input that flows would keep the process running.
  expect(input.isPaused()).toBe(true);
  const closed = new PassThrough();
  closed.end();
  expect(await askOnTerminal('Sure? ', closed)).toBe('');
  expect(shown.mock.calls).toEqual([['Sure? '], ['Sure? ']]);
  shown.mockRestore();
});
