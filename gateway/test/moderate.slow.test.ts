/**
 * POST /moderate and the operator's categories, with a real Redis and the real inference tier behind them.
 *
 * Slow: it makes categories with the command line, which starts anew for each command.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { type RunningServer, startRedis } from '../harness/index.mjs';
import { createApp } from '../src/http/app';
import { builtInCategories } from '../src/services/categories/categories';
import { HttpInferenceClient } from '../src/services/inference/inference-client';
import { KeyService } from '../src/services/keys/keys';
import { connectRedis, type RedisClient } from '../src/stores/redis';
import { RedisCategoryStore } from '../src/stores/redis-category-store';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { schemas } from './contract';
import { keepOpen, keySecret, realServices } from './services';
import { sharedTierUrl } from './shared-tier';

const demo = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo');
const photo = readFileSync(join(demo, 'sample4.jpg'));
const cli = join(__dirname, '..', 'dist', 'admin', 'cli.js');

let store: RunningServer;
let redis: RedisClient;
let inference: HttpInferenceClient;
let server: Server;
let folder: string;
/** Two customers who must not see each other's. */
const accounts: { id: string; apiKey: string }[] = [];

beforeAll(async () => {
  store = await startRedis();
  redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  inference = new HttpInferenceClient(sharedTierUrl());
  const keys = new KeyService(new RedisKeyStore(redis), keySecret);
  const app = createApp(realServices(redis, inference));
  server = createServer(keepOpen, app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const name of ['One', 'Two']) {
    const { id } = await keys.createAccount(name, 'business');
    accounts.push({ id, apiKey: (await keys.createKey(id, 'test')).apiKey });
  }
  folder = mkdtempSync(join(tmpdir(), 'presenza-examples-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await new Promise((resolve) => server.close(resolve));
  inference.close();
  redis.disconnect();
  await store.stop();
});

/** Bands of so many pixels: a kind of image that no photograph is taken for. */
function bands(period: number): Promise<Buffer> {
  const side = 240;
  const pixels = Uint8Array.from({ length: 3 * side * side }, (_, i) =>
    Math.floor(((i / 3) % side) / period) % 2 ? 250 : (i % 3) * 60,
  );
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

async function moderate(bytes: Buffer, more: object = {}, account = 0) {
  const { port } = server.address() as AddressInfo;
  const image = `data:image/png;base64,${bytes.toString('base64')}`;
  const response = await fetch(`http://127.0.0.1:${port}/moderate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accounts[account]?.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ image, ...more }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  const body = (await response.json()) as any;
  const schema = response.status === 200 ? 'moderate-response.json' : 'error-response.json';
  expect(schemas.validate(schema, body)).toBe(true);
  return { status: response.status, body, elements: body.data?.detectedElements };
}

/** Operations that the first account has used. */
async function usedAnalyses(): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${accounts[0]?.apiKey}` };
  const response = await fetch(`http://127.0.0.1:${port}/usage`, { headers });
  // biome-ignore lint/suspicious/noExplicitAny: a response of the contract
  return ((await response.json()) as any).data.productGroups.imageAnalysis.used;
}

function admin(...args: string[]) {
  const env = { REDIS_URL: store.url, INFERENCE_URL: sharedTierUrl(), KEY_SECRET: keySecret };
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

async function files(name: string, periods: readonly number[]): Promise<string[]> {
  const images = await Promise.all(periods.map(bands));
  return images.map((bytes, i) => {
    const path = join(folder, `${name}-${i}.png`);
    writeFileSync(path, bytes);
    return path;
  });
}

test('an ordinary photograph shows nothing at the default threshold', async () => {
  const { status, elements } = await moderate(photo);
  expect(status).toBe(200);
  expect(elements).toEqual([]);
});

test('everything from the threshold up is reported, surest first, of the categories asked for', async () => {
  const all = (await moderate(photo, { confidenceThreshold: 0 })).elements;
  expect(all.map(({ type }: { type: string }) => type).sort()).toEqual([
    'Explicit',
    'Suggestive',
    'Violence',
  ]);
  const confidences = all.map(({ confidence }: { confidence: number }) => confidence);
  expect(confidences).toEqual([...confidences].sort((a, b) => b - a));
  expect((await moderate(photo, { confidenceThreshold: 0, categories: [] })).elements).toEqual(all);
  const [first, second] = all;
  const some = await moderate(photo, { confidenceThreshold: first.confidence });
  expect(some.elements).toEqual([first]);
  const chosen = await moderate(photo, { confidenceThreshold: 0, categories: [second.type] });
  expect(chosen.elements).toEqual([second]);
});

test('a frame in the middle of a GIF is found, and the animation is one operation', async () => {
  const scissors = readFileSync(join(__dirname, '../../web/gatsby/demos/images/scissors.webp'));
  const frames = await Promise.all(
    [photo, photo, scissors, photo, photo].map((frame) =>
      sharp(frame).resize(320, 240, { fit: 'cover' }).png().toBuffer(),
    ),
  );
  const animation = await sharp(frames, { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer();
  const before = await usedAnalyses();
  const { status, elements } = await moderate(animation);
  expect(status).toBe(200);
  expect(elements).toMatchObject([
    {
      type: 'Violence',
      subTypes: expect.arrayContaining([{ type: 'Scissors', confidence: expect.any(Number) }]),
    },
  ]);
  expect((await usedAnalyses()) - before).toBe(1);
});

test.each([
  ['value', { confidenceThreshold: 1.5 }],
  ['type', { confidenceThreshold: '0.5' }],
  ['value', { categories: ['Gore'] }],
  ['unknown', { threshold: 0.5 }],
])('INVALID_PARAMETERS, %s: %j', async (reason, more) => {
  const { status, body } = await moderate(photo, more);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 'INVALID_PARAMETERS', reason });
});

test('an image that cannot be read is INVALID_IMAGE', async () => {
  const { body } = await moderate(photo.subarray(0, photo.length / 2));
  expect(body.error).toMatchObject({ code: 'INVALID_IMAGE', reason: 'truncated' });
});

test('a category from examples: found for its account alone, listed, deleted', async () => {
  const [first, other] = accounts.map(({ id }) => id) as [string, string];
  const examples = await files('bands', [8, 9, 10, 11, 13]);
  const made = admin('categories', 'create', '--account', first, '--name', 'Bands', ...examples, '--json');
  expect(made).toMatchObject({ status: 0, stderr: '' });
  expect(JSON.parse(made.stdout)).toEqual({ name: 'Bands', examples: 5, doubtful: [] });

  const image = await bands(12);
  const elements = (await moderate(image)).elements;
  expect(elements).toEqual([{ type: 'Bands', confidence: expect.any(Number) }]);
  const only = await moderate(image, { categories: ['Bands'], confidenceThreshold: 0 });
  expect(only.elements).toEqual(elements);
  expect((await moderate(photo)).elements).toEqual([]);
  expect((await moderate(image, {}, 1)).elements).toEqual([]);
  expect((await moderate(image, { categories: ['Bands'] }, 1)).status).toBe(400);

  expect(JSON.parse(admin('categories', 'list', '--account', first, '--json').stdout)).toEqual([
    { name: 'Bands', examples: 5, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
  ]);
  expect(admin('categories', 'list', '--account', other, '--json').stdout).toBe('[]\n');
  const again = admin('categories', 'create', '--account', first, '--name', 'bands', ...examples);
  expect(again.stderr).toContain('already has a category "bands"');
  expect(admin('categories', 'delete', '--account', other, '--name', 'Bands').stderr).toContain('has no');
  expect(admin('categories', 'delete', '--account', first, '--name', 'Bands').status).toBe(0);
  expect((await moderate(image)).elements).toEqual([]);
});

test('invalid categories are rejected with a sentence', async () => {
  const account = accounts[0]?.id as string;
  const create = (name: string, paths: readonly string[]) => {
    const { status, stdout, stderr } = admin(
      'categories',
      'create',
      '--account',
      account,
      '--name',
      name,
      ...paths,
    );
    expect(status).toBe(1);
    expect(stdout).toBe('');
    return stderr;
  };
  const alike = await files('alike', [8, 9, 10, 11]);
  expect(create('Few', alike)).toContain('5 to 64 examples, not 4');
  const text = join(folder, 'text.png');
  writeFileSync(text, 'no image');
  expect(create('Broken', [...alike, text])).toContain('text.png: The provided image format');
  const mixed = [1, 2, 3, 5].map((number) => join(demo, `sample${number}.jpg`));
  const unlike = [...alike.slice(0, 1), ...(await files('wide', [2, 120])), ...mixed.slice(0, 1)];
  expect(create('Mixed', [...unlike, join(demo, 'facemesh.png')])).toContain('too little in common');
  expect(create('Violence', [...alike, text])).toContain('built in');
  expect(create('a\nb', [...alike, text])).toContain('letters, digits');
  expect(admin('categories', 'list', '--account', 'acc_none').stderr).toContain('no account acc_none');
});

test('an account’s categories stay within the limit under concurrency', async () => {
  const store = new RedisCategoryStore(redis);
  const add = (name: string) =>
    store.addCategory('acc_bounded', { name, prototype: '', examples: 5, createdAt: 1 }, 3);
  const outcomes = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(add));
  expect(outcomes.sort()).toEqual(['added', 'added', 'added', 'full', 'full']);
  expect(await store.listCategories('acc_bounded')).toHaveLength(3);
  expect(await store.listCategories('acc_other')).toEqual([]);
});

test('prototypes of another model are not used silently', async () => {
  const store = new RedisCategoryStore(redis);
  const { id } = accounts[1] as { id: string };
  const prototype = Buffer.alloc(64).toString('base64');
  await store.addCategory(id, { name: 'Old', prototype, examples: 5, createdAt: 1 }, 20);
  const named = await moderate(photo, { categories: ['Old'] }, 1);
  expect(named.body.error).toMatchObject({ code: 'INVALID_PARAMETERS', reason: 'staleCategory' });
  const all = await moderate(photo, { confidenceThreshold: 0 }, 1);
  expect(all.elements.map(({ type }: { type: string }) => type).sort()).toEqual(builtInCategories);
  expect((await moderate(photo, { categories: ['Explicit'] }, 1)).elements).toEqual([]);
  await store.removeCategory(id, 'Old');
});
