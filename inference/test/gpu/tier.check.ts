/**
 * The tier on WebGPU as operators run it: its default workers, many requests at once, and the replacement of the worker
 * that runs the models.
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import sharp from 'sharp';
import { readMetrics, startInference } from '../../../gateway/harness/index.mjs';
import { photo } from '../photos';

const deadlineMs = 600_000;
const minutes = 60_000;

type Tier = Awaited<ReturnType<typeof startInference>>;

const tiers: Tier[] = [];
afterEach(() => Promise.all(tiers.splice(0).map((tier) => tier.stop())));

async function startTier(settings: Record<string, string | undefined>): Promise<Tier> {
  const tier = await startInference(settings);
  tiers.push(tier);
  return tier;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Avoids fetch, which waits five minutes at most: a driver in software may take longer. */
async function detect(url: string, image: Buffer): Promise<{ status: number | undefined; boxes: Box[] }> {
  const headers = { 'content-type': 'application/octet-stream', 'x-deadline-ms': String(deadlineMs) };
  const call = request(`${url}/detect`, { method: 'POST', headers, agent: false }).end(image);
  const [response] = await once(call, 'response');
  const { faces = [] } = (await json(response)) as { faces?: { boundingBox: Box }[] };
  return { status: response.statusCode, boxes: faces.map(({ boundingBox }) => boundingBox) };
}

/** @returns how many workers were replaced because the process took more memory than allowed */
async function replacedWorkers(url: string): Promise<number> {
  const metrics = await readMetrics(`${url}/metrics`);
  return metrics.sum('presenza_inference_workers_recycled_total', { reason: 'memory' });
}

/** A face that fills its image, so that only the detector for near faces is needed. */
const portrait = () =>
  sharp(photo(1)).extract({ left: 291, top: 330, width: 440, height: 330 }).jpeg().toBuffer();

test(
  '50 detections at once while a worker is replaced all agree with the CPU, and the tier stops cleanly',
  async () => {
    const image = await portrait();
    const cpu = await startTier({
      INFERENCE_DEVICE: 'cpu',
      INFERENCE_WORKERS: '1',
      INFERENCE_PRECISION: 'float32',
    });
    const expected = await detect(cpu.url, image);
    await cpu.stop();
    expect(expected).toMatchObject({ status: 200, boxes: [expect.anything()] });

    const tier = await startTier({
      INFERENCE_DEVICE: 'webgpu',
      INFERENCE_WORKERS: undefined,
      INFERENCE_MAX_RSS_MB: '1',
    });
    const responses = await Promise.all(Array.from({ length: 50 }, () => detect(tier.url, image)));
    // The successor may still be compiling shaders.
    while ((await replacedWorkers(tier.url)) === 0) responses.push(await detect(tier.url, image));
    for (const { status, boxes } of responses) {
      expect([status, boxes.length]).toEqual([200, 1]);
      for (const side of ['left', 'top', 'width', 'height'] as const) {
        expect(Math.abs((boxes[0] as Box)[side] - (expected.boxes[0] as Box)[side])).toBeLessThanOrEqual(
          1e-3,
        );
      }
    }
    expect(await tier.stop()).toEqual({ code: 0, signal: null });
  },
  30 * minutes,
);
