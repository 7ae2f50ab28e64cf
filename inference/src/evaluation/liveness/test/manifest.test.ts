import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifest } from '../manifest.mjs';
import { applyRecipe, recipes } from '../recipes.mjs';
import { ffmpegArguments, openSource, splitJpegs } from '../source.mjs';
import { folderWith } from './folder-with';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-recordings-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

test('CSV and JSON list the same recordings', () => {
  const entries = [
    { path: 'P1/a', label: 'bonaFide', device: 'phone', group: '20-39', subject: 'P1' },
    { path: 'P1/b.mp4', label: 'attack', type: 'presentation', species: 'mask, silicone' },
  ];
  write('recordings.json', JSON.stringify(entries));
  const fromJson = readManifest(folder);
  rmSync(join(folder, 'recordings.json'));
  write(
    'recordings.csv',
    'path,label,type,species,device,group,subject\nP1/a,bonaFide,,,phone,20-39,P1\nP1/b.mp4,attack,presentation,"mask, silicone",,,\n',
  );
  expect(readManifest(folder)).toEqual(fromJson);
  expect(fromJson).toEqual(entries);
});

test.each([
  ['path,kind\na,b', 'line 1: the column label is missing'],
  ['path,label\na,genuine', 'line 2: label must be bonaFide or attack, not "genuine"'],
  ['path,label\n../a,bonaFide', 'line 2: "../a" is outside the folder of the manifest'],
  ['path,label\na,bonaFide\na,bonaFide', 'line 3: "a" is listed already'],
  ['path,label,type,species\na,attack,print,', 'type of an attack must be presentation or injection'],
  ['path,label,type,species\na,attack,injection,', 'an attack needs a species'],
  ['path,label,species\na,bonaFide,print', 'a bonaFide recording has neither type nor species'],
])('a fault names its line: %j', (text, message) => {
  write('recordings.csv', text);
  expect(() => readManifest(folder)).toThrow(message);
});

test('a folder without a manifest, or with two, is refused', () => {
  expect(() => readManifest(folder)).toThrow('has neither');
  write('recordings.csv', 'path,label\na,bonaFide');
  write('recordings.json', '[]');
  expect(() => readManifest(folder)).toThrow('keep one');
});

test.each([
  ['file,timeMs\n1.jpg,5\n2.jpg,4', 'line 3: timeMs must be a whole number from 5'],
  ['file,timeMs\n../1.jpg,0', 'line 2: file must name an image in'],
  ['file,timeMs,prompt\n1.jpg,0,centre\n2.jpg,200,nod', 'prompt must be one of centre, left'],
  ['file,timeMs,prompt\n1.jpg,0,left', 'the first prompt must be centre'],
])('a fault of times.csv names its line: %j', async (text, message) => {
  write('times.csv', text);
  await expect(openSource(folder)).rejects.toThrow(message);
});

test('ffmpeg reads a video from files only', () => {
  const args = ffmpegArguments('/videos/1.mp4');
  // An option of the input comes before it.
  expect(args.slice(0, args.indexOf('-i')).join(' ')).toContain('-protocol_whitelist file,pipe');
  expect(args[args.indexOf('-i') + 1]).toBe('/videos/1.mp4');
});

test('the frames of a video are separated', () => {
  const images = [
    [0xff, 0xd8, 1, 0xff, 0, 0xff, 0xd9],
    [0xff, 0xd8, 2, 0xff, 0xd9],
  ].map((bytes) => Buffer.from(bytes));
  expect(splitJpegs(Buffer.concat([...images, Buffer.from([0xff, 0xd8])]))).toEqual(images);
});

test('each recipe finds the recordings in the layout of its set', () => {
  const labels = (type: number) => Array.from({ length: 44 }, (_, i) => (i === 40 ? type : 0));
  folderWith(folder, {
    'Test_files/6_3_36_1.avi': '',
    'Test_files/6_3_36_5.avi': '',
    'color/035_01_000_0_00/1.jpg': '',
    'color/018_02_000_3_10/1.jpg': '',
    'metas/intra_test/test_label.json': JSON.stringify({
      'Data/test/4930/live/1.jpg': labels(0),
      'Data/test/4930/spoof/2.jpg': labels(7),
    }),
    // No bona fide presentation, so the recipe leaves it out.
    'original_sequences/youtube/c23/videos/033.mp4': '',
    'manipulated_sequences/Deepfakes/c23/videos/033_097.mp4': '',
  });
  const recordings = Object.keys(recipes).map((name) => applyRecipe(name, folder));
  expect(recordings).toEqual([
    [
      {
        path: 'Test_files/6_3_36_1.avi',
        label: 'bonaFide',
        device: 'phone 6',
        group: 'session 3',
        subject: '36',
      },
      {
        path: 'Test_files/6_3_36_5.avi',
        label: 'attack',
        type: 'presentation',
        species: 'replay 2',
        device: 'phone 6',
        group: 'session 3',
        subject: '36',
      },
    ],
    [
      { path: 'Data/test/4930/live/1.jpg', label: 'bonaFide', subject: '4930' },
      {
        path: 'Data/test/4930/spoof/2.jpg',
        label: 'attack',
        type: 'presentation',
        species: 'spoof type 7',
        subject: '4930',
      },
    ],
    [
      {
        path: 'color/018_02_000_3_10',
        label: 'attack',
        type: 'presentation',
        species: 'photo',
        group: 'session 2',
        subject: '018',
      },
      { path: 'color/035_01_000_0_00', label: 'bonaFide', group: 'session 1', subject: '035' },
    ],
    [
      {
        path: 'manipulated_sequences/Deepfakes/c23/videos/033_097.mp4',
        label: 'attack',
        type: 'injection',
        species: 'Deepfakes',
        group: 'c23',
        subject: 'video 033',
      },
    ],
  ]);
});

test('a set without a verified layout has no recipe', () => {
  expect(() => applyRecipe('siw-m', folder)).toThrow('could not be verified');
  expect(() => applyRecipe('unknown', folder)).toThrow('There is no recipe "unknown"');
});
