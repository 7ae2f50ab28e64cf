import { AppError, publicError } from '.';

const error = new AppError('NOT_FOUND');
const linkOf = (requestId: string, requestLogUrl: string) =>
  publicError(error, { requestId }, { requestLogUrl }).requestLogUrl ?? '';

test.each(['a&b=c', '../x', '?x#y', '{requestId}', '$&', 'a b"\\', 'é', 'https://x.example'])(
  'the request id "%s" stays one value of the URL',
  (id) => {
    const inQuery = new URL(linkOf(id, 'https://logs.example/search?q={requestId}&from=1d'));
    expect(inQuery.origin + inQuery.pathname).toBe('https://logs.example/search');
    expect([...inQuery.searchParams]).toEqual([
      ['q', id],
      ['from', '1d'],
    ]);
    const inPath = new URL(linkOf(id, 'https://logs.example/requests/{requestId}/log'));
    expect(inPath.href).toBe(`https://logs.example/requests/${encodeURIComponent(id)}/log`);
  },
);

test('without a log viewer, errors have no address of the request', () => {
  expect(publicError(error, { requestId: 'a' }, {})).not.toHaveProperty('requestLogUrl');
});
