import { CallError, createApi, dataOf, ledgerAddress } from './api';

const apiUrl = 'https://api.example';

afterEach(() => jest.restoreAllMocks());

/** The result of a call, to which the gateway responds like this. */
function callWith(fetch: () => Promise<Response>) {
  jest.spyOn(globalThis, 'fetch').mockImplementation(fetch);
  const api = createApi(apiUrl);
  return dataOf(api.GET('/accounts/{account}/checklist', { params: { path: { account: 'a' } } }));
}

test('returns the data of a response', async () => {
  const data = { key: true, call: false, webhook: false, liveness: false };
  const reply = async () => Response.json({ success: true, data, requestId: 'req_1' });
  await expect(callWith(reply)).resolves.toEqual(data);
});

test('throws the error of a response, with the id of the request', async () => {
  const error = { code: 'NOT_ALLOWED', message: 'Your role does not suffice' };
  const reply = async () => Response.json({ success: false, error, requestId: 'req_1' }, { status: 403 });
  const failure = await callWith(reply).catch((reason: unknown) => reason);
  expect(failure).toBeInstanceOf(CallError);
  expect(failure).toMatchObject({ ...error, requestId: 'req_1' });
});

const page = '<!doctype html><title>Bad gateway</title>';
test.each([
  ['fails', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['leads to a page of a proxy', async () => new Response(page, { status: 502 })],
  ['leads to a page with status 200', async () => new Response(page)],
  ['leads to an empty response', async () => new Response(null, { headers: { 'Content-Length': '0' } })],
])('throws UNREACHABLE if the connection %s', async (_what, fetch) => {
  await expect(callWith(fetch)).rejects.toMatchObject({ code: 'UNREACHABLE', message: '' });
});

test('the address of a ledger has its account, month and format', () => {
  const params = { path: { account: 'acc/1' }, query: { month: '2026-11', format: 'csv' } } as const;
  expect(ledgerAddress(apiUrl, params)).toBe(
    'https://api.example/console/api/accounts/acc%2F1/ledger?month=2026-11&format=csv',
  );
});
