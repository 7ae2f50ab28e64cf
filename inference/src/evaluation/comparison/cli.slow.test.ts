/**
 * The built command on real models, as an operator runs it: people cut from the office photographs.
 *
 * Slow: it evaluates models on images in processes of its own.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'csv-parse/sync';
import pino from 'pino';
import sharp from 'sharp';
import { heads } from '../../../test/heads';
import { photo } from '../../../test/photos';
import { rolesOfDetection, startServing } from '../../../test/setup';
import { packageRoot } from '../../catalogue/paths';
import { createApp } from '../../http/app';
import type { CompareReply, DetectReply } from '../../wire';
import type { DetectionReport } from './detection';
import type { Report } from './report';
import schema from './report.schema.json';

let folder: string;
let serving: Awaited<ReturnType<typeof startServing>>;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evaluation-'));
  await makeImages();
  serving = await startServing({ roles: [...rolesOfDetection, 'embedding'] });
  const logger = pino({ level: 'silent' });
  server = createServer(createApp({ ...serving, logger, accepting: () => true }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await serving.scheduler.drain();
  await serving.pool.close();
  rmSync(folder, { recursive: true });
});

const people = ['ada', 'bo', 'cem'];

/** Two images of each person, of which the second is brighter; a group photograph, a wall, and a file that is no image. */
async function makeImages(): Promise<void> {
  const faces = await heads();
  for (const [i, name] of people.entries()) {
    const face = faces[i] as sharp.Sharp;
    await face
      .clone()
      .jpeg()
      .toFile(join(folder, `${name}-1.jpg`));
    await face
      .modulate({ brightness: 1.2 })
      .jpeg()
      .toFile(join(folder, `${name}-2.jpg`));
  }
  writeFileSync(join(folder, 'group.jpg'), photo(1));
  const wall = { width: 200, height: 200, channels: 3, background: '#888' } as const;
  await sharp({ create: wall }).jpeg().toFile(join(folder, 'wall.jpg'));
  writeFileSync(join(folder, 'notes.jpg'), 'not an image');
}

const lines = [
  'file,person,device',
  ...people.flatMap((name) => [`${name}-1.jpg,${name},phone`, `${name}-2.jpg,${name},camera`]),
  'group.jpg,dee,camera',
  'wall.jpg,dee,phone',
  'notes.jpg,dee,phone',
];

function run(args: string[], text = lines.join('\n')) {
  writeFileSync(join(folder, 'labels.csv'), text);
  return runCommand(['.', 'labels.csv', ...args]);
}

function runCommand(args: string[]) {
  const script = join(packageRoot, 'dist', 'evaluation', 'comparison', 'cli.js');
  const options = { cwd: folder, env: { ...process.env, INIT_CWD: folder, INFERENCE_PRECISION: 'float32' } };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

test('reports the similarities of POST /compare, and writes the scores', async () => {
  const { code, stdout } = await run(['--out', 'out', '--scores', 'scores.csv']);
  expect([code, stdout.split('\n')[0]]).toEqual([0, join(folder, 'out', 'report.html')]);

  const report: Report = JSON.parse(readFileSync(join(folder, 'out', 'report.json'), 'utf8'));
  const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
  validate(report);
  expect(validate.errors).toBeNull();
  expect(report.system.models.map(({ id }) => id)).toEqual(['sface']);
  const { failures, genuine, impostor, people: count, images } = report.overall;
  expect([count, images, genuine.pairs, impostor.pairs]).toEqual([4, 9, 3, 18]);
  const failed = [failures.noFace, failures.severalFaces, failures.unreadable];
  expect(failed.map((failure) => failure.images)).toEqual([1, 1, 1]);

  const text = readFileSync(join(folder, 'scores.csv'));
  const rows: Record<string, string>[] = parse(text, { columns: true });
  expect(rows).toHaveLength(21);
  const [first] = rows;
  expect(first).toMatchObject({ source_line: '2', target_line: '3', genuine: '1' });
  expect([first?.source_device, first?.target_device]).toEqual(['phone', 'camera']);
  // The person of line 2 is in the group photograph of line 8.
  const inGroup = rows.find(({ source_line, target_line }) => source_line === '2' && target_line === '8');
  expect(Number(first?.similarity)).toBeCloseTo(await similarity('ada-1.jpg', 'ada-2.jpg'), 6);
  expect(Number(inGroup?.similarity)).toBeCloseTo(await similarity('ada-1.jpg', 'group.jpg'), 6);
  expect(Number(inGroup?.similarity)).toBeGreaterThan(0.8);
});

/** The highest similarity that the tier responds with. */
async function similarity(source: string, target: string): Promise<number> {
  const images = [source, target].map((name) => readFileSync(join(folder, name)));
  const response = await fetch(`${url}/compare`, {
    method: 'POST',
    headers: {
      'content-type': 'application/octet-stream',
      connection: 'close',
      'x-part-lengths': images.map(({ length }) => length).join(','),
    },
    body: Uint8Array.from(Buffer.concat(images)),
  });
  expect(response.status).toBe(200);
  const { targets } = (await response.json()) as CompareReply;
  return targets[0]?.similarity as number;
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), content);
}

test('evaluates the pairs of a public set', async () => {
  for (const group of ['African', 'Asian', 'Caucasian', 'Indian'])
    write(`rfw/txts/${group}/${group}_pairs.txt`, '');
  write('rfw/txts/Asian/Asian_pairs.txt', 'ada\t1\t2\nada\t1\tbo\t1\n');
  for (const [name, number] of [
    ['ada', 1],
    ['ada', 2],
    ['bo', 1],
  ]) {
    const bytes = readFileSync(join(folder, `${name}-${number}.jpg`));
    write(`rfw/data/Asian/${name}/${name}_000${number}.jpg`, bytes);
  }
  const { code, stderr } = await runCommand([
    'rfw',
    '--recipe',
    'rfw',
    '--out',
    'out-rfw',
    '--scores',
    'rfw.csv',
  ]);
  expect([code, stderr]).toEqual([0, expect.stringContaining('3 of 3 images')]);
  const report: Report = JSON.parse(readFileSync(join(folder, 'out-rfw', 'report.json'), 'utf8'));
  expect(report).toMatchObject({
    set: 'RFW',
    overall: { people: 2, images: 3, genuine: { pairs: 1 }, impostor: { pairs: 1 } },
    columns: [{ name: 'group', groups: [{ group: 'Asian', images: 3 }] }],
  });
  const rows = parse(readFileSync(join(folder, 'rfw.csv')), { columns: true }) as Record<string, string>[];
  expect(rows.map(({ source_line, target_line, genuine }) => [source_line, target_line, genuine])).toEqual([
    ['1', '2', '1'],
    ['1', '3', '0'],
  ]);
});

test('counts the faces of WIDER FACE that are found and missed', async () => {
  const event = '0--Parade/0_Parade_Parade_0_1.jpg';
  const { width, height } = await sharp(photo(1)).metadata();
  const faces = await detect(photo(1));
  const lineOf = ([left, top, right, bottom]: number[]) =>
    [left, top, (right ?? 0) - (left ?? 0), (bottom ?? 0) - (top ?? 0)]
      .map((value = 0) => Math.round(value))
      .join(' ');
  const annotated = faces.map(({ boundingBox: box }) =>
    lineOf([
      width * box.left,
      height * box.top,
      width * (box.left + box.width),
      height * (box.top + box.height),
    ]),
  );
  // A face that is not there, in place of the last one that is.
  const [, ...others] = annotated;
  const listed = [...others, '5 5 60 60'].map((box) => `${box} 0 0 0 0 0 0 `);
  write(`wider/WIDER_val/images/${event}`, photo(1));
  write(
    'wider/wider_face_split/wider_face_val_bbx_gt.txt',
    [event, String(listed.length), ...listed].join('\n'),
  );
  const { code, stdout } = await runCommand(['wider', '--recipe', 'wider-face', '--out', 'out-wider']);
  expect([code, stdout.trim()]).toEqual([0, join(folder, 'out-wider', 'detection.html')]);
  const report: DetectionReport = JSON.parse(
    readFileSync(join(folder, 'out-wider', 'detection.json'), 'utf8'),
  );
  expect(report).toMatchObject({
    images: 1,
    unreadable: 0,
    overall: { faces: faces.length, detected: faces.length - 1, missed: null },
    falseBoxes: { boxes: faces.length, wrong: 1, rate: null },
  });
});

/** The faces that the tier responds with. */
async function detect(image: Buffer): Promise<DetectReply['faces']> {
  const response = await fetch(`${url}/detect`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream', connection: 'close' },
    body: Uint8Array.from(image),
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as DetectReply).faces;
}

test.each([
  [
    ['.', '--recipe', 'morph'],
    /^There is no recipe "morph"; the recipes are cfp, agedb-30, rfw, wider-face\.$/m,
  ],
  [['.', 'labels.csv', '--recipe', 'rfw'], /^Usage: npm run evaluate/],
  [['.', '--recipe', 'rfw'], /African_pairs\.txt cannot be read\. The recipe for RFW needs txts/],
  [['.', '--recipe', 'wider-face'], /wider_face_val_bbx_gt\.txt cannot be read/],
  [
    ['.', '--recipe', 'wider-face', '--scores', 'a.csv'],
    /pairs, which WIDER FACE, validation images do not have/,
  ],
])('refuses a recipe with code 2 and one message: %j', async (args, message) => {
  expect(await runCommand(args)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
});

test.each([
  [['--out', 'never', '--models', 'embedding=nothing'], undefined, /there is no model "nothing"/],
  [['--sample', 'red'], undefined, /--sample.*\n\nUsage: npm run evaluate/s],
  [[], 'file,person\nada-1.jpg,', /^labels\.csv, line 2, column person: the field is empty\.$/m],
])('ends with code 2 and one message for %j', async (args, text, message) => {
  expect(await run(args, text)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(existsSync(join(folder, 'never'))).toBe(false);
});
