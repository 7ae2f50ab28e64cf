/** The documented responses to test images, in front of an inference tier that only counts its calls. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import errors from '@presenza/contract/errors.json';
import accessoryType from '@presenza/contract/schemas/accessory-type.json';
import emotionType from '@presenza/contract/schemas/emotion-type.json';
import attributes from '@presenza/contract/schemas/face-attributes.json';
import genderValue from '@presenza/contract/schemas/gender-value.json';
import catalogue from '@presenza/contract/test-images.json';
import { builtInCategories } from '../src/services/categories/categories';
import type { InferenceClient } from '../src/services/inference/inference-client';
import { schemas, testImageBytes } from './contract';
import { principal, StandIn } from './stand-in';

const replies = {
  detect: { faces: [] },
  compare: { source: { confidence: 1, boundingBox: {}, quality: {} }, targets: [] },
  moderate: { elements: [], custom: [] },
};
const calls: string[] = [];
const analyze = (operation: keyof typeof replies) => async () => {
  calls.push(operation);
  return replies[operation] as never;
};
const tier: InferenceClient = {
  detect: analyze('detect'),
  compare: analyze('compare'),
  moderate: analyze('moderate'),
  frames: () => Promise.reject(new Error('not expected')),
  ready: async () => true,
  close: () => {},
};

let gateway: StandIn;
beforeAll(async () => {
  gateway = await StandIn.start({
    inference: tier,
    checkResponses: false,
    keys: { authenticate: async (key) => ({ ...principal, mode: key === 'live' ? 'live' : 'test' }) },
  });
});
afterAll(() => gateway.stop());
beforeEach(() => calls.splice(0));

const uri = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
const image = (name: string) => uri(testImageBytes(name));

async function send(path: string, body: object, key = 'test') {
  const response = await fetch(`http://127.0.0.1:${gateway.port}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  const parsed = (await response.json()) as any;
  const schema = response.ok ? `${path.slice(1)}-response.json` : 'error-response.json';
  expect([schemas.validate(schema, parsed), schemas.errors]).toEqual([true, null]);
  expect(calls).toEqual([]);
  return { status: response.status, ...parsed };
}

type Entry = { name: string; faces?: object[]; error?: { code: keyof typeof errors; reason: string } };
const entries = catalogue.images as readonly Entry[];
const accepted = entries.filter(({ error }) => !error);

type Accessory = { readonly type: string };
/** Accessories that cover eyes, nose or mouth. Glasses do only if they are dark. */
const coverings = ['sunglasses', 'mask'];

describe('POST /detect', () => {
  test.each(accepted)('$name shows the documented number of faces', async ({ name, faces = [] }) => {
    const { status, data } = await send('/detect', { image: image(name), attributes: 'all' });
    expect([status, data.faceCount, data.hasFace]).toEqual([200, faces.length, faces.length > 0]);
  });

  test.each(entries.filter(({ error }) => error))('$name is rejected', async ({ name, error }) => {
    const { code, reason } = error as NonNullable<Entry['error']>;
    const { status, error: sent } = await send('/detect', { image: image(name) });
    expect([status, sent.code, sent.reason]).toEqual([errors[code].status, code, reason]);
    expect(sent.message).not.toMatch(/[{}]/);
  });

  test('every emotion, accessory and gender, both ends of age, and every other field has an image', async () => {
    const faces = [];
    for (const { name } of accepted)
      faces.push(...(await send('/detect', { image: image(name), attributes: 'all' })).data.faces);
    const shown = (values: unknown[]) => [...new Set(values)].sort();
    expect(shown(faces.map((face) => face.attributes.emotions[0].type))).toEqual(shown(emotionType.enum));
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const worn = faces.flatMap((face) => face.attributes.accessories.map(({ type }: any) => type));
    expect(shown(worn)).toEqual(shown(accessoryType.enum));
    expect(shown(faces.map((face) => face.attributes.gender.value))).toEqual(shown(genderValue.enum));
    const ages = faces.map((face) => face.attributes.ageRange.low);
    expect([Math.min(...ages) < 12, Math.max(...ages) > 60]).toEqual([true, true]);
    expect(faces.some((face) => Math.abs(face.attributes.pose.yaw) > 30)).toBe(true);
    expect(shown(faces.map((face) => face.occluded.value))).toEqual([false, true]);
    for (const face of faces) {
      const covers = face.attributes.accessories.some(({ type }: Accessory) => coverings.includes(type));
      if (covers) expect(face.occluded.value).toBe(true);
      expect(face.attributes.landmarks).toHaveLength(attributes.properties.landmarks.maxItems);
      const { emotions } = face.attributes;
      // biome-ignore lint/suspicious/noExplicitAny: as above
      const total = emotions.reduce((sum: number, emotion: any) => sum + emotion.confidence, 0);
      expect(total).toBeCloseTo(1);
    }
  });

  test('a face has only the requested attributes', async () => {
    const reply = await send('/detect', { image: image('glasses'), attributes: ['accessories', 'pose'] });
    expect(Object.keys(reply.data.faces[0].attributes).sort()).toEqual(['accessories', 'pose']);
    const { data } = await send('/detect', { image: image('glasses') });
    expect(data.faces[0]).not.toHaveProperty('attributes');
  });

  test('the inference tier analyzes any other image, and test images of a live key', async () => {
    const other = Buffer.concat([testImageBytes('face'), Buffer.of(0)]);
    const request = async (bytes: Buffer, authorization: string) => {
      const response = await fetch(`http://127.0.0.1:${gateway.port}/detect`, {
        method: 'POST',
        body: Uint8Array.from(bytes),
        headers: { authorization, 'content-type': 'image/png' },
      });
      return ((await response.json()) as { data: { faceCount: number } }).data.faceCount;
    };
    expect(await request(testImageBytes('face'), 'Bearer test')).toBe(1);
    expect(calls).toEqual([]);
    expect(await request(other, 'Bearer test')).toBe(0);
    expect(await request(testImageBytes('face'), 'Bearer live')).toBe(0);
    expect(calls).toEqual(['detect', 'detect']);
  });
});

describe('POST /compare', () => {
  const compare = (source: string, target: string, more = {}) =>
    send('/compare', { sourceImage: image(source), targetImage: image(target), ...more });

  test.each([
    ['face', 'happy', 1, 0],
    ['face', 'other-face', 0, 1],
    ['face', 'several-faces', 1, 2],
    ['face', 'similar-face', 0, 1],
  ])('%s and %s: %i matched, %i unmatched', async (source, target, matched, unmatched) => {
    const { data } = await compare(source, target);
    expect([data.matchedFaces.length, data.unmatchedFaces.length]).toEqual([matched, unmatched]);
  });

  test('the threshold of the request decides', async () => {
    const { data } = await compare('face', 'similar-face', { similarityThreshold: 0.7 });
    expect(data.matchedFaces).toMatchObject([{ similarity: 0.75 }]);
  });

  test.each([
    ['no-face', 'face', 'source'],
    ['face', 'no-face', 'target'],
  ])('%s and %s: no face in the %s', async (source, target, reason) => {
    const { status, error } = await compare(source, target);
    expect([status, error.code, error.reason]).toEqual([400, 'NO_FACE_DETECTED', reason]);
  });

  test('a rejected image is named by its field', async () => {
    expect((await compare('corrupt', 'face')).error.message).toContain('sourceImage');
    expect((await compare('face', 'corrupt')).error.message).toContain('targetImage');
  });

  test.each([
    ['blurred', 'blur'],
    ['small', 'small'],
    ['turned', 'pose'],
    ['dark', 'dark'],
    ['bright', 'bright'],
    ['compressed', 'compression'],
  ])('%s has the warning %s as source and as target', async (name, warning) => {
    expect((await compare(name, 'face')).data.sourceImageFace.warnings).toEqual([warning]);
    expect((await compare('face', name)).data.matchedFaces[0].warnings).toEqual([warning]);
  });
});

describe('POST /moderate', () => {
  const moderate = async (name: string, more = {}) =>
    (await send('/moderate', { image: image(name), ...more })).data.detectedElements;

  test.each([
    ['explicit', 'Explicit', 'Porn'],
    ['suggestive', 'Suggestive', 'Sexy'],
    ['knife', 'Violence', 'Knife'],
    ['scissors', 'Violence', 'Scissors'],
    ['baseball-bat', 'Violence', 'Baseball bat'],
  ])('%s: %s, subtype %s', async (name, type, subtype) => {
    const [element, ...others] = await moderate(name);
    expect([element.type, element.subTypes[0].type, others]).toEqual([type, subtype, []]);
  });

  test('every built-in category has an image', () => {
    const shown = catalogue.images.flatMap(({ elements = [] }) => elements.map(({ type }) => type));
    expect([...new Set(shown)].sort()).toEqual([...builtInCategories].sort());
  });

  test('categories and threshold of the request apply', async () => {
    expect(await moderate('face')).toEqual([]);
    expect(await moderate('knife', { categories: ['Explicit'] })).toEqual([]);
    expect(await moderate('borderline')).toEqual([]);
    expect(await moderate('borderline', { confidenceThreshold: 0.3 })).toMatchObject([
      { type: 'Suggestive', confidence: 0.4 },
    ]);
  });
});

test('a batch uses test images and says that it is not live', async () => {
  const operations = [
    { operation: 'detect', body: { image: image('face') } },
    { operation: 'moderate', body: { image: image('corrupt') } },
  ];
  const { data } = await send('/batch', { operations });
  expect(data).toMatchObject({ livemode: false, succeeded: 1, failed: 1 });
});

test('the commands of the documentation download images and get their responses', async () => {
  const source = readFileSync(join(__dirname, '../../web/content/docs/testing.mdx'), 'utf8');
  const page = source.replaceAll('{siteUrl}', '$SITE_URL');
  const blocks = [...page.matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, code]) => code as string);
  const site = createServer(({ url = '' }, response) =>
    response.end(testImageBytes(basename(url, '.png'))),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  const cwd = mkdtempSync(join(tmpdir(), 'presenza-testing-'));
  const address = (port: number) => `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    API_KEY: 'test',
    API_URL: address(gateway.port),
    SITE_URL: address((site.address() as AddressInfo).port),
  };
  const responses = [];
  for (const block of blocks) {
    const script = block.replace(/^export .*$/gm, '');
    const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd, env });
    if (stdout) responses.push(JSON.parse(stdout).data);
  }
  site.close();
  rmSync(cwd, { recursive: true });
  const [detected, compared, moderated, session] = responses;
  expect([detected.faceCount, Object.keys(detected.faces[0].attributes)]).toEqual([
    1,
    Object.keys(attributes.properties),
  ]);
  expect(compared.matchedFaces).toHaveLength(1);
  expect(moderated.detectedElements[0].type).toBe('Violence');
  expect(session.livemode).toBe(false);
});
