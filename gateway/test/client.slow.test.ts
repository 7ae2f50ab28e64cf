/**
 * The typed client of the contract against the real gateway, with a real Redis and the real inference tier.
 *
 * Slow: the tier runs its models. `npm run test:clients` tries the clients that generators write, with openapi-typescript.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  createClient,
  dataUri,
  type PresenzaClient,
  PresenzaError,
} from '@presenza/contract/client/index.ts';
import { schemas } from './contract';
import { TestGateway } from './test-gateway';

const demo = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo');
const image = dataUri(readFileSync(join(demo, 'sample4.jpg')));

let gateway: TestGateway;
let client: PresenzaClient;
let apiKey: string;
let baseUrl: string;
/** Reasons why the gateway would not serve. */
let missing: string[] = [];

beforeAll(async () => {
  gateway = await TestGateway.start({ realTier: true, unready: async () => missing });
  baseUrl = gateway.url;
  const { keys } = gateway.services;
  const account = await keys.createAccount('Client', 'business');
  ({ apiKey } = await keys.createKey(account.id, 'test'));
  client = createClient({ baseUrl, apiKey, retries: 0 });
});
afterAll(() => gateway.stop());

const errorOf = (call: Promise<unknown>): Promise<PresenzaError> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded.')),
    (error) => error,
  );

test('detect finds the faces, with the attributes asked for', async () => {
  const reply = await client.detect({ image, attributes: ['pose'] }, { requestId: 'job-7' });
  expect(schemas.validate('detect-response.json', reply)).toBe(true);
  expect(reply.requestId).toBe('job-7');
  expect(reply.data.faceCount).toBe(4);
  for (const { attributes } of reply.data.faces) expect(Object.keys(attributes ?? {})).toEqual(['pose']);
});

test('moderate reports what was asked for', async () => {
  const reply = await client.moderate({ image, confidenceThreshold: 0, categories: ['Explicit'] });
  expect(schemas.validate('moderate-response.json', reply)).toBe(true);
  expect(reply.data.detectedElements.map(({ type }) => type)).toEqual(['Explicit']);
});

test('compare reports the same person from others', async () => {
  const reply = await client.compare({ sourceImage: image, targetImage: image });
  expect(schemas.validate('compare-response.json', reply)).toBe(true);
  expect(reply.data.matchedFaces).toHaveLength(1);
});

test('a batch, in one response and as a stream; usage counts both', async () => {
  const before = (await client.usage()).data.productGroups.imageAnalysis.used;
  const operations = [
    { id: 'a', operation: 'detect' as const, body: { image } },
    {
      id: 'b',
      operation: 'moderate' as const,
      body: { image: 'data:image/bmp;base64,Qk0=' },
    },
  ];
  const whole = await client.batch({ operations });
  expect(whole.data).toMatchObject({ succeeded: 1, failed: 1 });
  const ids: (string | undefined)[] = [];
  for await (const { id } of client.batchStream({ operations })) ids.push(id);
  expect(ids.sort()).toEqual(['a', 'b']);
  expect((await client.usage()).data.productGroups.imageAnalysis.used).toBe(before + 2);
});

test('iterators yield the items of all pages', async () => {
  const created: string[] = [];
  for (let i = 0; i < 3; i++) created.push((await client.createLivenessSession()).data.sessionId);
  const sessions: string[] = [];
  for await (const { sessionId } of client.allLivenessSessions({ limit: 1 })) sessions.push(sessionId);
  expect(sessions.sort()).toEqual(created.sort());

  for (const sessionId of created) await client.deleteLivenessSession(sessionId);
  const events: string[] = [];
  for await (const { eventId, ...event } of client.allEvents({ eventType: 'session.cancelled', limit: 2 })) {
    expect((await client.getEvent(eventId)).data).toEqual({ eventId, ...event });
    events.push(event.sessionId);
  }
  expect(events.sort()).toEqual(created.sort());

  const url = 'https://shop.example/hook';
  const { data } = await client.createWebhook({ url }, { idempotencyKey: 'hook' });
  expect((await client.createWebhook({ url }, { idempotencyKey: 'hook' })).data).toEqual(data);
  for await (const endpoint of client.allWebhooks()) expect(endpoint).toMatchObject({ url, mode: 'test' });
  await client.deleteWebhook(data.webhookId);
  const { keyId } = (await client.createApiKey({ products: ['faceDetection'] })).data;
  await client.revokeApiKey(keyId);
  const states: string[] = [];
  for await (const { state } of client.allApiKeys({ limit: 1 })) states.push(state);
  expect(states.sort()).toEqual(['active', 'revoked']);
});

test('an error carries the message of the gateway', async () => {
  const error = await errorOf(client.detect({ image: 'data:image/bmp;base64,Qk0=' }));
  expect(error).toBeInstanceOf(PresenzaError);
  expect(error).toMatchObject({ code: 'INVALID_IMAGE', reason: 'format', status: 400 });
  expect(error.requestId).toMatch(/^req_/);
});

test('a key that does not exist', async () => {
  const stranger = createClient({ baseUrl, apiKey: 'presenza_test_unknown' });
  expect(await errorOf(stranger.detect({ image }))).toMatchObject({ code: 'INVALID_API_KEY', status: 401 });
});

test('under the version prefix, a service that is not ready is asked again until it is', async () => {
  const waits: number[] = [];
  const waiting = createClient({
    baseUrl: `${baseUrl}/v1`,
    apiKey: 'none',
    sleep: async (ms) => {
      waits.push(ms);
      missing = [];
    },
  });
  missing = ['inference'];
  const reply = await waiting.health();
  expect(schemas.validate('health-response.json', reply)).toBe(true);
  expect(waits).toHaveLength(1);
  expect(waits[0]).toBeGreaterThanOrEqual(1000);
});
