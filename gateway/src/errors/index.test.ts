import { ApiError, asRequestError, ConsoleError, envelope, OperatorError } from '.';

const error = new ApiError('NOT_FOUND');
const linkOf = (requestId: string, requestLogUrl: string) =>
  error.bodyFor({ requestId }, { requestLogUrl }).requestLogUrl ?? '';

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
  expect(error.bodyFor({ requestId: 'a' }, {})).not.toHaveProperty('requestLogUrl');
});

const operatorError = new OperatorError('See GATEWAY_HOST_NAMES', 'PERMISSION_DENIED');
const consoleError = new ConsoleError('LAST_OWNER');

test('operators read the sentence of an operator error', () => {
  const request = { requestId: 'a', operatorErrors: 'sentence' } as const;
  const shown = asRequestError(operatorError, request);
  expect(envelope(shown, request, {}).error).toEqual({
    code: 'PERMISSION_DENIED',
    message: 'See GATEWAY_HOST_NAMES',
  });
});

test('a caller who manages an account with an API key gets the text of the catalogue', () => {
  const request = { requestId: 'a', operatorErrors: 'code' } as const;
  const shown = asRequestError(operatorError, request);
  expect(shown.status).toBe(403);
  expect(JSON.stringify(envelope(shown, request, {}))).not.toContain('GATEWAY_HOST_NAMES');
});

test.each([
  ['an operator error', operatorError, undefined],
  ['a console error', consoleError, undefined],
  ['a console error', consoleError, 'code'],
] as const)('%s is internal in a request that does not foresee it', (_name, thrown, operatorErrors) => {
  const request = { requestId: 'a', ...(operatorErrors && { operatorErrors }) };
  const shown = asRequestError(thrown, request);
  expect(shown).toMatchObject({ code: 'INTERNAL_ERROR', status: 500, cause: thrown });
  expect(JSON.stringify(envelope(shown, request, {}))).not.toContain(thrown.message);
});

test('people in the console get the code of a console error', () => {
  const request = { requestId: 'a', operatorErrors: 'sentence' } as const;
  expect(asRequestError(consoleError, request)).toBe(consoleError);
});
