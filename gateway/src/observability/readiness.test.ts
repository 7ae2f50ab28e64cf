import { Readiness } from './readiness';

test('tiers are looked up at most once a second', async () => {
  let now = 0;
  const inference = jest.fn().mockResolvedValue(true);
  const readiness = new Readiness({ store: () => false, inference }, () => now);
  expect(await Promise.all([readiness.unavailable(), readiness.unavailable()])).toEqual([
    ['store'],
    ['store'],
  ]);
  inference.mockResolvedValue(false);
  now = 999;
  expect(await readiness.unavailable()).toEqual(['store']);
  expect(inference).toHaveBeenCalledTimes(1);
  now = 1000;
  expect(await readiness.unavailable()).toEqual(['store', 'inference']);
});

test('a tier that was available once is not awaited again', async () => {
  let now = 0;
  let there = false;
  const readiness = new Readiness({ store: () => true, inference: () => there }, () => now);
  expect(await readiness.neverSeen()).toEqual(['inference']);
  for (there of [true, false]) {
    now += 1_000;
    expect(await readiness.neverSeen()).toEqual([]);
  }
  expect(await readiness.unavailable()).toEqual(['inference']);
});

test('a gateway without a tier reports nothing of it', async () => {
  const readiness = new Readiness({ store: () => false, inference: () => true });
  expect(readiness.tiers).toEqual(['store', 'inference']);
  expect(await readiness.unavailable()).toEqual(['store']);
  const all = new Readiness({ store: () => true, sessionKeys: () => false, inference: () => true });
  expect(await all.unavailable()).toEqual(['sessionKeys']);
});
