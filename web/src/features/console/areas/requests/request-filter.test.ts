import { localTime, queryOf, valuesOf } from './request-filter';

const now = Date.parse('2026-11-30T12:00:00Z');
const queryFor = (search: string) => queryOf(valuesOf(new URLSearchParams(search)), now);

test.each([
  ['', {}],
  ['status=failed', { failed: true }],
  ['status=passed&key=key_1', { failed: false, key: 'key_1' }],
  ['status=4xx', { status: '4xx' }],
  ['status=404&path=/liveness/{sessionId}', { status: '404', path: '/liveness/{sessionId}' }],
  ['range=hour', { from: '2026-11-30T11:00:00.000Z' }],
  ['range=day&from=2020-01-01T00:00:00Z', { from: '2026-11-29T12:00:00.000Z' }],
  ['range=custom&from=2026-11-01T00:00:00Z', { from: '2026-11-01T00:00:00.000Z' }],
  ['to=2026-11-01T00:00:00Z', { to: '2026-11-01T00:00:00.000Z' }],
  ['range=toString', {}],
  ['status=nonsense&from=nonsense&other=1', {}],
])('the address ?%s selects %j', (search, query) => {
  expect(queryFor(search)).toEqual(query);
});

test('a time of the address becomes the value of a field for local times, and the other way', () => {
  const local = localTime('2026-11-30T12:34:00.000Z');
  expect(new Date(local).toISOString()).toBe('2026-11-30T12:34:00.000Z');
  expect(localTime('nonsense')).toBe('');
});
