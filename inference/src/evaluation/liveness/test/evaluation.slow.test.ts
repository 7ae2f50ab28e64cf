/**
 * Recordings of a tiny folder through the real inference tier and the gateway's verdict, and those of the recorder.
 *
 * Slow: it evaluates recordings with real models.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { genuineEvidence } from '../../../../../gateway/test/liveness/genuine-evidence';
import { photo } from '../../../../test/photos';
import { evaluate, partsOf } from '../evaluate.mjs';
import { readManifest } from '../manifest.mjs';
import { renderPage } from '../page.mjs';
import { verdictUnder } from '../product.mjs';
import { startRecorder } from '../recorder.mjs';
import { replay } from '../replay.mjs';
import { openSource } from '../source.mjs';
import { withTier } from '../tier.mjs';
import { folderWith } from './folder-with';

const { judge, policy } = verdictUnder('standard');
const conditions = {
  version: '1.0.0',
  commit: 'abc',
  rules: 'def',
  models: { near: 'yunet-256' },
  device: 'cpu',
  precision: 'int8',
  policy,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'presenza-recordings-'));
});
let recorder: Awaited<ReturnType<typeof startRecorder>> | undefined;
afterEach(async () => {
  await recorder?.stop();
  recorder = undefined;
  rmSync(folder, { recursive: true });
});

/** The photo's only person without neighbors, and one of its walls. */
async function crops() {
  const office = sharp(photo(1));
  const { width } = await office.metadata();
  const crop = (left: number, top: number) =>
    office.clone().extract({ left, top, width: 440, height: 330 }).resize(640, 480).jpeg().toBuffer();
  return { face: await crop(Math.round(0.266 * width - 220), 250), wall: await crop(0, 0) };
}

test('recordings without prompts get the outcomes of a hand calculation, and a second run resumes', async () => {
  const { face, wall } = await crops();
  const small = await sharp(face).resize(160, 120).png().toBuffer();
  folderWith(folder, {
    'face.jpg': face,
    'small.png': small,
    'wall.jpg': wall,
    'torn/1.jpg': face.subarray(0, 2000),
    'holes/times.csv': 'file,timeMs\n1.jpg,0\n',
    'still/1.jpg': face,
    'still/2.jpg': face,
    'still/times.csv': 'file,timeMs\n1.jpg,0\n2.jpg,400\n',
    'recordings.csv': `path,label,type,species,subject
face.jpg,attack,injection,photo file,A
small.png,attack,injection,photo file,A
wall.jpg,attack,presentation,wall,B
torn,attack,presentation,torn file,
still,attack,injection,repeated photo,A
gone.jpg,attack,injection,photo file,
holes,attack,injection,photo file,
`,
  });
  const options = {
    folder,
    out: join(folder, 'evaluation'),
    recordings: readManifest(folder),
    conditions,
    concurrency: 2,
    log: () => {},
  };
  const report = await withTier(
    ({ client }) => evaluate({ ...options, parts: { ...partsOf(client), judge } }),
    { workers: 1 },
  );
  const { injection, presentation, bonaFide } = report.unprompted;
  // The verdict refuses the repeated image, and nothing in a single photo file of a real face.
  expect(injection.species).toMatchObject([
    { name: 'photo file', recordings: 2, subjects: 1, responses: 2, errors: 2, errorRate: { rate: 1 } },
    { name: 'repeated photo', responses: 1, errors: 0, reasons: [['repeatedImages', 1]] },
  ]);
  // 2 of 2 recordings of one subject: the lower bound is that of one, 0.05.
  expect(injection.worst?.errorRate?.interval).toEqual([expect.closeTo(0.05, 6), 1]);
  expect(presentation.species).toMatchObject([
    { name: 'torn file', responses: 0, errorRate: null, nonResponses: 1 },
    { name: 'wall', responses: 0, errorRate: null, nonResponseRate: { rate: 1 } },
  ]);
  expect(presentation.worst).toBeNull();
  expect(bonaFide.all.recordings).toBe(0);
  expect(report.prompted.injection.species).toEqual([]);
  expect(report.failures).toEqual([
    { path: 'gone.jpg', message: expect.stringContaining('gone.jpg does not exist') },
    { path: 'holes', message: expect.stringContaining('1.jpg cannot be read (ENOENT)') },
  ]);

  const page = renderPage(report);
  expect(page).toContain('BPCER: not measured');
  expect(page).toContain('These are not error rates of the product');
  expect(page).toContain(
    'at most 100 % (upper end of the 95 % interval). This is the rate of the worst species',
  );
  expect(page).toContain('Rules that did not judge: tooFewFrames');
  expect(page).not.toMatch(/<script|https?:/);

  const unused = () => Promise.reject(new Error('measured again'));
  const again = await evaluate({ ...options, parts: { findFaces: unused, measure: unused, judge } });
  expect(again.unprompted).toEqual(report.unprompted);
  const other = { ...conditions, commit: 'other' };
  await expect(
    evaluate({ ...options, conditions: other, parts: { findFaces: unused, measure: unused, judge } }),
  ).rejects.toThrow('another version');
});

/** Follows the prompts of the recorder by a few degrees a frame, and looks straight ahead before each turn. */
class Head {
  private readonly angles = { yaw: 0, pitch: 0 };
  private movement = 'centre';
  private isReturning = false;

  follow(movement: string) {
    this.isReturning ||= movement !== this.movement;
    this.movement = movement;
    const turns = {
      left: ['yaw', 32],
      right: ['yaw', -32],
      up: ['pitch', 18],
      down: ['pitch', -18],
    } as const;
    const [turned, degrees] = turns[movement as keyof typeof turns] ?? [];
    for (const axis of ['yaw', 'pitch'] as const) {
      const way = (axis === turned && !this.isReturning ? degrees : 0) - this.angles[axis];
      this.angles[axis] += Math.sign(way) * Math.min(8, Math.abs(way));
    }
    if (this.angles.yaw === 0 && this.angles.pitch === 0) this.isReturning = false;
  }

  findFaces = async () => [
    {
      boundingBox: { left: 0.3, top: 0.25, width: 0.4, height: 0.5 },
      quality: { brightness: 0.5, sharpness: 0.5 },
      attributes: { pose: { ...this.angles, roll: 0 } },
    },
  ];
}

const labels = { label: 'attack', type: 'injection', species: 'script', subject: 'S-1', device: 'none' };

// biome-ignore lint/suspicious/noExplicitAny: the tests check the fields of each reply
type Reply = Record<string, any>;

async function record(head: Head, send: { readonly frames: number }) {
  recorder = await startRecorder({ folder, keeper: 'Ada & Co', port: 0, findFaces: head.findFaces });
  const url = recorder.url;
  const post = async (path: string, body?: string | Buffer): Promise<Reply> => {
    const response = await fetch(url + path, { method: 'POST', body: body ?? null });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const page = await (await fetch(url)).text();
  const outside = await fetch(new URL('/takes', url), { method: 'POST' });
  expect((await fetch(`${url}constructor`)).status).toBe(404);
  const refused = await post('takes', JSON.stringify({ labels }));
  const jpeg = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#888' } })
    .jpeg()
    .toBuffer();
  const take = await post('takes', JSON.stringify({ consent: true, labels, camera: { label: 'Camera' } }));
  let view = take;
  for (let i = 0; i < send.frames && !view.over; i++) {
    head.follow(view.movement);
    view = await post(`takes/${take.id}/frames`, jpeg);
  }
  return { post, page, outside, refused, take, view };
}

test('the recorder follows the guidance, and the replay of its recording reaches the verdict', async () => {
  const head = new Head();
  const { post, page, outside, refused, take, view } = await record(head, { frames: 100 });
  expect(page).toContain('<dd>Ada &amp; Co</dd>');
  expect(outside.status).toBe(404);
  expect(refused).toMatchObject({ status: 400, fault: 'The consent is missing.' });
  expect(view).toMatchObject({ done: true, over: true, progress: 1 });
  await post(`takes/${take.id}/keep`);
  const [recording] = readManifest(folder);
  expect(recording).toEqual({ path: `S-1/${take.id}`, ...labels });
  const source = await openSource(join(folder, recording?.path ?? ''));
  expect(source.camera).toEqual({ label: 'Camera' });
  expect(new Set(source.frames.map(({ prompt }) => prompt)).size).toBeGreaterThan(1);

  // The guidance sees the same angles again, frame by frame.
  const replayed = new Head();
  const seen: unknown[] = [];
  let at = 0;
  const row = await replay(source, {
    judge,
    findFaces: () => {
      replayed.follow(source.frames[at++]?.prompt ?? '');
      return replayed.findFaces();
    },
    measure: async (request) => {
      seen.push(...request.challenges.map(({ kind }) => kind));
      const { signals } = genuineEvidence();
      const frames = request.frames.map(({ timeMs }, i) => ({ ...signals.frames[i % 5], timeMs }));
      return { ...signals, frames };
    },
  });
  // The frames of this script arrive faster than a person turns.
  expect(row).toMatchObject({ kind: 'prompted', reasons: ['hurried'], frames: source.frames.length });
  expect(seen).toHaveLength(3);

  // A recording that ends before its first turn gets no verdict, and neither does a head that never turns.
  const parts = { judge, findFaces: new Head().findFaces, measure: () => Promise.reject() };
  const centre = source.frames.filter(({ prompt }) => prompt === 'centre');
  const short = await replay({ ...source, frames: centre }, parts);
  expect(short).toMatchObject({ outcome: 'noResponse', reasons: ['unfinished'] });
  const unfinished = await replay(source, parts);
  expect(unfinished).toMatchObject({
    kind: 'prompted',
    outcome: 'noResponse',
    reasons: ['unfinished'],
    confidence: null,
  });
});

test('a recording that the person deletes or leaves is gone', async () => {
  const { post, take } = await record(new Head(), { frames: 3 });
  expect(readdirSync(join(folder, 'S-1', take.id))).toContain('0003.jpg');
  await post(`takes/${take.id}/discard`);
  expect(readdirSync(join(folder, 'S-1'))).toEqual([]);
  expect(await post(`takes/${take.id}/keep`)).toMatchObject({ status: 404 });
  const next = await post('takes', JSON.stringify({ consent: true, labels }));
  expect(readFileSync(join(folder, 'S-1', next.id, 'times.csv'), 'utf8')).toBe('file,timeMs,prompt\n');
  await recorder?.stop();
  recorder = undefined;
  expect(readdirSync(join(folder, 'S-1'))).toEqual([]);
});
