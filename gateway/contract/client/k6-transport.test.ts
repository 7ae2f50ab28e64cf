// Tests the transport for k6 with an object that has the interface of k6/http.
import { createClient, PresenzaError } from './index';
import { type K6Http, k6Transport } from './k6-transport';

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: string | null;
  readonly params: Record<string, unknown>;
}

type Reply = Awaited<ReturnType<K6Http<object>['asyncRequest']>>;

function clientOf(reply: Partial<Reply>) {
  const sent: Sent[] = [];
  const http: K6Http<{ tags: object }> = {
    asyncRequest: async (method, url, body, params) => {
      sent.push({ method, url, body, params: { ...params } });
      return { status: 200, error: '', error_code: 0, headers: {}, body: '', ...reply };
    },
  };
  const transport = k6Transport(http, { tags: { name: 'health' } });
  return { sent, client: createClient({ baseUrl: 'http://api', apiKey: 'key', retries: 0, transport }) };
}

test('passes a request on with the parameters of the script, and reads headers in any case', async () => {
  const body = JSON.stringify({ success: true, data: { status: 'ok' } });
  const { client, sent } = clientOf({ headers: { 'Content-Type': 'application/json' }, body });
  await expect(client.health()).resolves.toMatchObject({ success: true });
  expect(sent).toEqual([expect.objectContaining({ method: 'GET', url: 'http://api/health', body: null })]);
  expect(sent[0]?.params).toMatchObject({
    tags: { name: 'health' },
    timeout: expect.any(Number),
    redirects: 0,
    headers: { authorization: 'Bearer key' },
  });
});

test.each([
  [1050, 'TimeoutError'],
  [1212, 'Error'],
])('reports code %d of a request without a response as %s', async (code, name) => {
  const { client } = clientOf({ status: 0, error: 'no response', error_code: code });
  const failure = await client.health().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(PresenzaError);
  const { cause } = failure as PresenzaError & { cause?: Error };
  expect(cause).toMatchObject({ name });
});
