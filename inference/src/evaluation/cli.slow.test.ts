/**
 * The built command on real models, as an operator runs it: people cut from the office photographs.
 *
 * Slow: it evaluates models on images in processes of its own.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'csv-parse/sync';
import pino from 'pino';
import sharp from 'sharp';
import { heads } from '../../test/heads';
import { photo } from '../../test/photos';
import { rolesOfDetection, startServing } from '../../test/setup';
import { packageRoot } from '../catalogue/paths';
import { createApp } from '../http/app';
import type { CompareReply } from '../wire';
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
  const labels = join(folder, 'labels.csv');
  writeFileSync(labels, text);
  const script = join(packageRoot, 'dist', 'evaluation', 'cli.js');
  const options = { cwd: folder, env: { ...process.env, INIT_CWD: folder, INFERENCE_PRECISION: 'float32' } };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [script, '.', 'labels.csv', ...args], options, (error, stdout, stderr) =>
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
  const found = rows.find(({ source_line, target_line }) => source_line === '2' && target_line === '8');
  expect(Number(first?.similarity)).toBeCloseTo(await similarity('ada-1.jpg', 'ada-2.jpg'), 6);
  expect(Number(found?.similarity)).toBeCloseTo(await similarity('ada-1.jpg', 'group.jpg'), 6);
  expect(Number(found?.similarity)).toBeGreaterThan(0.8);
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

test.each([
  [['--out', 'never', '--models', 'embedding=nothing'], undefined, /there is no model "nothing"/],
  [['--sample', 'red'], undefined, /--sample.*\n\nUsage: npm run evaluate/s],
  [[], 'file,person\nada-1.jpg,', /^labels\.csv, line 2, column person: the field is empty\.$/m],
])('ends with code 2 and one message for %j', async (args, text, message) => {
  expect(await run(args, text)).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  expect(existsSync(join(folder, 'never'))).toBe(false);
});
