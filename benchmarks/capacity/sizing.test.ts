import { amounts, firstLimits, perMillionImages } from './sizing.mjs';

const times = {
  workers: 4,
  operations: {
    detect: { together: { gatewayMs: 2 }, tier: { decodeMs: 5 }, bodyBytes: 100_000 },
    compare: { together: { gatewayMs: 3 }, tier: { decodeMs: 10 }, bodyBytes: 200_000 },
  },
  redis: { perCore: 10_000, bytesPerUnit: 100 },
  memory: { tierMiB: 1024 },
};
const options = {
  pod: { perSecond: 50 },
  threadUse: 0.5,
  nicGbps: 10,
  redisMemoryGb: 64,
};
test('amounts of 1,000 images a second, worked out by hand', () => {
  const amountsOf = (name: 'detect' | 'compare') =>
    amounts(name, times, { imagesPerSecond: 1000, ...options });
  expect(amountsOf('detect')).toMatchObject({
    requestsPerSecond: 1000,
    // 20 and one more; 2 s of gateway a second at half of each, and one more.
    pods: 21,
    podCores: 84,
    podGiB: 21,
    gateways: 5,
    shards: 1,
    // 3,456 GB of lines in 48 GB each.
    ledgerShards: 72,
    inGbps: 0.8,
    ledgerGbPerDay: 8.64,
  });
  // Two images in each: half the requests, the units and the pods.
  expect(amountsOf('compare')).toMatchObject({
    requestsPerSecond: 500,
    pods: 11,
    gateways: 4,
    inGbps: 0.8,
    ledgerGbPerDay: 4.32,
  });
});

test('limits are listed in the order in which they are reached', () => {
  const limits = firstLimits('detect', times, options);
  expect(limits.map(({ id }) => id)).toEqual(['ledger', 'pod', 'decode', 'gateway', 'redis', 'network']);
  const limitOf = (name: string) => limits.find(({ id }) => id === name)?.imagesPerSecond;
  // 48 GB of lines of 100 bytes, 400 days of them.
  expect(limitOf('ledger')).toBeCloseTo(48e9 / 100 / (400 * 86_400), 6);
  expect(limitOf('gateway')).toBe(250);
  expect(limitOf('network')).toBe(12_500);
});

test('hours for a million images, worked out by hand', () => {
  // A million requests: 20,000 s of pods, 4,000 s of gateways, 200 s of Redis.
  const detect = perMillionImages('detect', times, options);
  expect(detect.podHours).toBeCloseTo(20_000 / 3_600, 6);
  expect(detect.coreHours).toBeCloseTo((4 * 20_000 + 4_000 + 200) / 3_600, 6);
  // Half the requests, each with more work of the gateway.
  const compare = perMillionImages('compare', times, options);
  expect(compare.coreHours).toBeCloseTo((4 * 10_000 + 3_000 + 100) / 3_600, 6);
});
