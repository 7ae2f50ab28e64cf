/** The client against the real inference tier. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { HttpInferenceClient } from '../src/services/inference/inference-client';
import { sharedTierUrl } from './shared-tier';

const photo = (n: number) =>
  readFileSync(join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo', `sample${n}.jpg`));

let client: HttpInferenceClient;
beforeAll(async () => {
  client = new HttpInferenceClient(sharedTierUrl());
});
afterAll(() => client.close());

const call = {
  requestId: 'req_1',
  deadline: { signal: new AbortController().signal, leftMs: () => 30_000 },
};

test('the largest face of an image is found again among the four of its mirror image', async () => {
  const mirrored = await sharp(photo(4)).flop().jpeg().toBuffer();
  const { source, targets, timings } = await client.compare(photo(4), mirrored, call);
  expect(targets).toHaveLength(4);
  expect(targets[0]?.similarity).toBeGreaterThan(0.8);
  expect(targets[1]?.similarity).toBeLessThan(0.8);
  const { left, width } = source.boundingBox;
  expect(targets[0]?.boundingBox.left).toBeCloseTo(1 - left - width, 1);
  expect(timings.totalMs).toBeGreaterThan(0);
});

describe('compare refuses', () => {
  let empty: Buffer;
  beforeAll(async () => {
    empty = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'grey' } })
      .png()
      .toBuffer();
  });

  test('a source and a target without a face by their reasons', async () => {
    const noFace = (reason: string) => ({ body: { code: 'NO_FACE_DETECTED', reason } });
    await expect(client.compare(empty, photo(4), call)).rejects.toMatchObject(noFace('source'));
    await expect(client.compare(photo(4), empty, call)).rejects.toMatchObject(noFace('target'));
  });

  test('a damaged image by the name of its field', async () => {
    const cut = photo(4).subarray(0, 9_000);
    await expect(client.compare(photo(4), cut, call)).rejects.toMatchObject({
      body: { code: 'INVALID_IMAGE', reason: 'truncated', message: expect.stringContaining('targetImage') },
    });
  });
});
