import { spread } from '../lib/stats.mjs';
import { figureOf } from './throughput.mjs';

test('the target is against as many processes as cores', () => {
  const figure = (counts: readonly number[]) =>
    figureOf({
      operation: 'POST /compare',
      package: 'human',
      target: 8,
      peers: counts.map((processes) => ({ processes, ratio: spread([8 / processes]) })),
    });
  expect(figure([1, 2])).toMatchObject({
    what: 'POST /compare against 2 processes of human, images per second',
    value: 4,
  });
  expect(figure([1]).what).toBe('POST /compare against one process of human, images per second');
});
