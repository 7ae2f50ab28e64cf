import { createMetrics } from './metrics';

test('the counter of unexpected errors is there before the first, or its increase would not be seen', async () => {
  const { registry, refused } = createMetrics();
  const series = 'presenza_gateway_refusals_total{code="INTERNAL_ERROR",reason="none"}';
  expect(await registry.metrics()).toContain(`${series} 0\n`);
  refused('INTERNAL_ERROR');
  expect(await registry.metrics()).toContain(`${series} 1\n`);
});
