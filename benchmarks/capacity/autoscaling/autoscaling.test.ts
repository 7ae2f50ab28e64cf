import { following } from './following.mjs';
import { Scrapes, servePrometheus } from './prometheus.mjs';
import { rateAt, recordedLoad } from './recorded-load.mjs';
import { measuredPod, TierModel } from './tier-model.mjs';

const pod = { perSecond: 100, maxQueue: 256, workers: 2, modelShare: 0.8 };

describe('the modeled tier', () => {
  test('serves what its pods can, queues the rest, and refuses what exceeds the queues', () => {
    const tier = new TierModel(pod);
    tier.advance({ seconds: 1, requests: 400, ready: ['a', 'b'] });
    expect([tier.served, tier.queue, tier.refused]).toEqual([200, 200, 0]);
    tier.advance({ seconds: 1, requests: 800, ready: ['a', 'b'] });
    expect([tier.served, tier.queue, tier.refused]).toEqual([400, 512, 288]);
    expect(tier.served + tier.queue + tier.refused).toBe(400 + 800);
  });

  test('leaves queued requests with their pod when one is added, and serves those of a pod that ends', () => {
    const tier = new TierModel(pod);
    tier.advance({ seconds: 1, requests: 300, ready: ['a'] });
    expect(tier.queue).toBe(200);
    tier.advance({ seconds: 1, requests: 20, ready: ['a', 'b'] });
    expect([tier.queue, tier.served]).toEqual([110, 210]);
    tier.advance({ seconds: 1, requests: 0, ready: ['b'] });
    expect([tier.queue, tier.served]).toEqual([0, 320]);
  });

  test('refuses everything without a pod', () => {
    const tier = new TierModel(pod);
    tier.advance({ seconds: 1, requests: 50, ready: [] });
    expect([tier.refused, tier.threads]).toEqual([50, 0]);
  });

  test('a pod at half its rate spends half as much time in models as a busy one', () => {
    const [half, full] = [new TierModel(pod), new TierModel(pod)];
    half.advance({ seconds: 10, requests: 500, ready: ['a'] });
    full.advance({ seconds: 10, requests: 5_000, ready: ['a'] });
    expect([half.modelSeconds, full.modelSeconds]).toEqual([8, 16]);
  });

  test('a measured pod has the throughput of its cores', () => {
    const detect = { together: { tierMs: 20 }, modelMs: { near: 9, mesh: 3 }, tier: { workerMs: 16 } };
    expect(measuredPod({ workers: 2, operations: { detect } }, 256)).toEqual({
      perSecond: 100,
      maxQueue: 256,
      workers: 2,
      modelShare: 0.75,
    });
  });
});

describe('the queries', () => {
  test('see the last scrape, and the time in models of the last minute', () => {
    const scrapes = new Scrapes();
    expect([scrapes.queue(), scrapes.busy()]).toEqual([undefined, undefined]);
    scrapes.add({ second: 0, queue: 0, modelSeconds: 0, threads: 2 });
    expect(scrapes.busy()).toBe(0);
    scrapes.add({ second: 45, queue: 7, modelSeconds: 45, threads: 2 });
    expect([scrapes.queue(), scrapes.busy()]).toEqual([7, 0.5]);
    scrapes.add({ second: 90, queue: 3, modelSeconds: 135, threads: 2 });
    expect([scrapes.queue(), scrapes.busy()]).toEqual([3, 1]);
  });

  test('get results in the form of Prometheus, and none where there is no value', async () => {
    const values = new Map<string, () => number | undefined>([
      ['sum(a)', () => 4.5],
      ['sum(b)', () => undefined],
    ]);
    const prometheus = await servePrometheus(values);
    const ask = async (query: string) => {
      const response = await fetch(`${prometheus.url}/api/v1/query?query=${encodeURIComponent(query)}`);
      return { status: response.status, body: (await response.json()) as { data?: { result: unknown[] } } };
    };
    try {
      expect((await ask('sum(a)')).body.data?.result).toEqual([
        { metric: {}, value: [expect.any(Number), '4.5'] },
      ]);
      expect((await ask('sum(b)')).body.data?.result).toEqual([]);
      expect((await ask('sum(c)')).status).toBe(400);
    } finally {
      await prometheus.stop();
    }
  });
});

describe('the load', () => {
  test('is the recorded one, with more requests and longer', () => {
    const [recorded, factored] = [1, 3].map((factor) =>
      recordedLoad('spike', { rateFactor: 10 * factor, timeFactor: factor }),
    );
    expect(recorded).toHaveLength(3);
    expect(factored?.map(({ seconds }) => seconds)).toEqual(recorded?.map(({ seconds }) => 3 * seconds));
    expect(factored?.[1]?.perSecond).toBeCloseTo(3 * (recorded?.[1]?.perSecond ?? 0));
    expect(() => recordedLoad('other', { rateFactor: 1, timeFactor: 1 })).toThrow('spike, ramp');
  });

  test('has the rate of its phase, and none after the last', () => {
    const phases = [
      { seconds: 10, perSecond: 5 },
      { seconds: 10, perSecond: 50 },
    ];
    expect([0, 9.9, 10, 19.9, 20].map((second) => rateAt(phases, second))).toEqual([5, 5, 50, 50, 0]);
  });
});

test('lag, refusals and pod-hours come from the samples', () => {
  const phases = [
    { seconds: 2, perSecond: 100 },
    { seconds: 4, perSecond: 300 },
  ];
  const samples = [1, 1, 1, 2, 3, 3].map((ready, i) => ({
    second: i,
    wanted: ready + 1,
    ready,
    queue: 0,
    served: 100 * i,
    refused: [0, 0, 50, 80, 90, 91][i] ?? 0,
  }));
  expect(following(samples, phases, 100)).toEqual({
    longestLagSeconds: 2,
    offered: 591,
    served: 500,
    refused: 91,
    refusedWithEnough: 1,
    mostPods: 4,
    neededPods: 3,
    podHours: 17 / 3_600,
  });
  const never = following(samples.slice(0, 3), phases, 100);
  expect(never.longestLagSeconds).toBe(Number.POSITIVE_INFINITY);
});
