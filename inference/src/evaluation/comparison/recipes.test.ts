import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { InputError } from '../input/input-error';

import { applyRecipe } from './recipes';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recipes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
}

/** The pairs with their people and groups. */
function pairsOf(recipe: string) {
  const { images, pairs = [], ...rest } = applyRecipe(recipe, folder);
  const shown = ({ path, person, groups }: (typeof images)[number]) => ({
    file: path.slice(folder.length + 1),
    person,
    groups,
  });
  return { ...rest, images: images.map(shown), pairs };
}

const folds = Array.from({ length: 10 }, (_, i) => String(i + 1).padStart(2, '0'));
const cfp = {
  'Protocol/Pair_list_F.txt': '1 ../Data/Images/001/frontal/01.jpg\n2 ../Data/Images/002/frontal/01.jpg\n',
  'Protocol/Pair_list_P.txt': '1 ../Data/Images/001/profile/01.jpg\n2 ../Data/Images/002/profile/01.jpg\n',
  'Data/Images/001/frontal/01.jpg': '',
  'Data/Images/002/frontal/01.jpg': '',
  'Data/Images/001/profile/01.jpg': '',
  'Data/Images/002/profile/01.jpg': '',
  ...Object.fromEntries(
    folds.flatMap((fold) => [
      [`Protocol/Split/FP/${fold}/same.txt`, fold === '01' ? '1,1\n' : ''],
      [`Protocol/Split/FP/${fold}/diff.txt`, fold === '10' ? '1,2\r\n2,1\r\n' : ''],
    ]),
  ),
};

test('CFP: compares the frontal image of a line with its profile image', () => {
  write(cfp);
  expect(pairsOf('cfp')).toEqual({
    set: 'CFP, frontal and profile',
    columns: ['pose'],
    images: [
      { file: 'Data/Images/001/frontal/01.jpg', person: '001', groups: ['frontal'] },
      { file: 'Data/Images/001/profile/01.jpg', person: '001', groups: ['profile'] },
      { file: 'Data/Images/002/profile/01.jpg', person: '002', groups: ['profile'] },
      { file: 'Data/Images/002/frontal/01.jpg', person: '002', groups: ['frontal'] },
    ],
    pairs: [
      [0, 1],
      [0, 2],
      [3, 1],
    ],
  });
});

test('RFW: reads the lists of its four groups', () => {
  write({
    ...emptyLists,
    'txts/Asian/Asian_pairs.txt': 'm.01\t1\t2\nm.01\t1\tm.02\t12\n',
    'data/Asian/m.01/m.01_0001.jpg': '',
    'data/Asian/m.01/m.01_0002.jpg': '',
    'data/Asian/m.02/m.02_0012.jpg': '',
  });
  expect(pairsOf('rfw')).toEqual({
    set: 'RFW',
    columns: ['group'],
    images: [
      { file: 'data/Asian/m.01/m.01_0001.jpg', person: 'm.01', groups: ['Asian'] },
      { file: 'data/Asian/m.01/m.01_0002.jpg', person: 'm.01', groups: ['Asian'] },
      { file: 'data/Asian/m.02/m.02_0012.jpg', person: 'm.02', groups: ['Asian'] },
    ],
    pairs: [
      [0, 1],
      [0, 2],
    ],
  });
});

describe('AgeDB-30', () => {
  const images = ['a', 'b', 'c', 'd'];
  const people = () => pairsOf('agedb-30').images.map(({ person }) => person);

  test('takes images that pairs of one person link as one person', () => {
    const path = (name: string) => `agedb_30_112x112/${name}.jpg`;
    write({
      ...Object.fromEntries(images.map((name) => [path(name), ''])),
      'agedb_30_ann.txt': [
        ['1', path('a'), path('b')],
        ['0', path('a'), path('d')],
        ['1', path('c'), path('b')],
      ]
        .map((fields) => fields.join(' '))
        .join('\n'),
    });
    const [a, b, d, c] = people();
    expect([b, c]).toEqual([a, a]);
    expect(d).not.toBe(a);
    expect(pairsOf('agedb-30')).toMatchObject({
      columns: [],
      pairs: [
        [0, 1],
        [0, 2],
        [3, 1],
      ],
    });
  });

  test('also reads the list with the verdict at the end', () => {
    write({
      ...Object.fromEntries(images.map((name) => [`agedb30_align_112/${name}.jpg`, ''])),
      'agedb_30_pair.txt': 'a.jpg b.jpg 1\nc.jpg d.jpg -1\n',
    });
    const [a, b, c, d] = people();
    expect(b).toBe(a);
    expect(d).not.toBe(c);
  });
});

const emptyLists = Object.fromEntries(
  ['African', 'Asian', 'Caucasian', 'Indian'].map((group) => [`txts/${group}/${group}_pairs.txt`, '\n']),
);

test.each([
  ['rfw', emptyLists, /^The lists of RFW in .* are empty\.$/],
  ['cfp', {}, /Protocol\/Pair_list_F\.txt cannot be read\. The recipe for CFP.* needs Protocol\//],
  ['rfw', {}, /txts\/African\/African_pairs\.txt cannot be read\. The recipe for RFW needs txts\/GROUP/],
  ['agedb-30', {}, /agedb_30_ann\.txt cannot be read\. The recipe for AgeDB-30 needs agedb_30_ann\.txt/],
  [
    'rfw',
    { 'txts/African/African_pairs.txt': 'm.01\t1\t2\n' },
    /^txts\/African\/African_pairs\.txt, line 1: .*m\.01_0001\.jpg is missing\. The set needs txts\/GROUP/,
  ],
  [
    'rfw',
    { 'txts/African/African_pairs.txt': '\nm.01\t1\n' },
    /^txts\/African\/African_pairs\.txt, line 2: "m\.01 1" is not a person with two numbers/,
  ],
  [
    'cfp',
    { ...cfp, 'Protocol/Split/FP/03/same.txt': '1,9\n' },
    /^Protocol\/Split\/FP\/03\/same\.txt, line 1: "1 9" is not a number of each list/,
  ],
  [
    'cfp',
    { ...cfp, 'Protocol/Pair_list_F.txt': '1\n' },
    /^Protocol\/Pair_list_F\.txt, line 1: "1" is not a number and a path\.$/,
  ],
  [
    'agedb-30',
    { 'agedb_30_ann.txt': '2 a.jpg b.jpg\n' },
    /^agedb_30_ann\.txt, line 1: "2 a\.jpg b\.jpg" is not 1 or 0 and two files\.$/,
  ],
])('%s: names the file or the line that is wrong: %#', (recipe, files, message) => {
  write(files);
  const apply = () => applyRecipe(recipe, folder);
  expect(apply).toThrow(InputError);
  expect(apply).toThrow(message);
});
