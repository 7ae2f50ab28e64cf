import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../input/input-error';
import { readLabels } from './labels';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'labels-'));
  mkdirSync(join(folder, 'badges'));
  for (const name of ['a.jpg', 'b.jpg', 'badges/a.jpg']) writeFileSync(join(folder, name), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  const path = join(folder, 'labels.csv');
  writeFileSync(path, text);
  return readLabels(path, folder);
}

/** The faults of labels. */
async function faultsOf(text: string): Promise<string[]> {
  const error = await read(text).then(
    () => undefined,
    (reason: Error) => reason,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as Error).message.split('\n');
}

test('reads files, people and groups, in columns of any order', async () => {
  const text = '\ufeffperson,sex,file,device\r\nAda,f,a.jpg,"phone, old"\r\n\r\nAda,f,badges/a.jpg,\r\n';
  expect(await read(text)).toEqual({
    columns: ['sex', 'device'],
    images: [
      { path: join(folder, 'a.jpg'), person: 'Ada', line: 2, groups: ['f', 'phone, old'] },
      { path: join(folder, 'badges/a.jpg'), person: 'Ada', line: 4, groups: ['f', ''] },
    ],
  });
});

test('names line and column of each fault', async () => {
  const long = 'x'.repeat(300);
  const lines = ['a.jpg,', 'c.jpg,Ada', 'b.jpg,Bo,x', '../b.jpg,Bo', `${long},Bo`];
  expect(await faultsOf(['file,person', ...lines].join('\n'))).toEqual([
    'labels.csv, line 2, column person: the field is empty.',
    `labels.csv, line 3, column file: "c.jpg" is not a file in ${folder}.`,
    'labels.csv, line 4: 3 fields for 2 columns.',
    'labels.csv, line 5, column file: "../b.jpg" is outside the folder of images.',
    `labels.csv, line 6, column file: "${long}" is not a file in ${folder}.`,
  ]);
  expect(await faultsOf('file,person\na.jpg,Ada\n./a.jpg,Bo')).toEqual([
    'labels.csv, line 3, column file: "./a.jpg" is on line 2 already.',
  ]);
});

test('counts the faults that it does not show', async () => {
  const lines = Array.from({ length: 7 }, (_, i) => `${i}.jpg,Ada`);
  const faults = await faultsOf(['file,person', ...lines].join('\n'));
  expect(faults).toHaveLength(6);
  expect(faults.at(-1)).toBe('2 more faults follow.');
});

test.each([
  ['', 'labels.csv is empty. Its first line must name the columns file and person.'],
  ['file,person\n', 'labels.csv has a header and no images.'],
  [
    'file;person\na.jpg;Ada',
    'labels.csv, line 1: the column file is missing; the columns, separated by commas, are file;person.',
  ],
  ['file,name\na.jpg,Ada', /^labels\.csv, line 1: the column person is missing/],
  ['file,person,\na.jpg,Ada,x', 'labels.csv, line 1, column 3: the column has no name.'],
  ['file,person,sex,sex\na.jpg,Ada,f,f', 'labels.csv, line 1, column sex: the name occurs twice.'],
  [
    'file,person\na.jpg,"Ada',
    'labels.csv, line 2, column 2: the quotes of a field are not closed or not doubled.',
  ],
])('refuses %j', async (text, message) => {
  expect(await faultsOf(text)).toEqual([expect.stringMatching(message)]);
});

test('refuses a column with too many values to be groups', async () => {
  const names = Array.from({ length: 51 }, (_, i) => `${i}.png`);
  for (const name of names) writeFileSync(join(folder, name), '');
  const lines = names.map((name, i) => `${name},Ada,born ${1950 + i}`);
  expect(await faultsOf(['file,person,birth', ...lines].join('\n'))).toEqual([
    'labels.csv, column birth: 51 different values are not groups, 50 are the maximum. Use bands, such as 20-29, or remove the column.',
  ]);
});

test('refuses labels that cannot be read', async () => {
  await expect(readLabels('/nowhere/labels.csv', folder)).rejects.toThrow(
    '/nowhere/labels.csv cannot be read (ENOENT).',
  );
});
