import { Readiness } from './readiness';

test('tiers are looked up at most once a second', async () => {
  let now = 0;
  const inference = jest.fn().mockResolvedValue(true);
  const readiness = new Readiness({ store: () => false, inference }, () => now);
  expect(await Promise.all([readiness.away(), readiness.away()])).toEqual([['store'], ['store']]);
  inference.mockResolvedValue(false);
  now = 999;
  expect(await readiness.away()).toEqual(['store']);
  expect(inference).toHaveBeenCalledTimes(1);
  now = 1000;
  expect(await readiness.away()).toEqual(['store', 'inference']);
});
