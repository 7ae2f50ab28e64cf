import { readTraceparent } from './traceparent';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-03`, true],
  [`cc-${traceId}-${spanId}-01-what-comes-later`, true],
])('%s is read', (header, sampled) => {
  expect(readTraceparent(header)).toEqual({ traceId, spanId, sampled });
});

test.each([
  undefined,
  '',
  'hello',
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
])('%s is as good as none', (header) => {
  expect(readTraceparent(header)).toBeUndefined();
});
