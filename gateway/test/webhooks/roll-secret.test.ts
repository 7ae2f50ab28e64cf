/**
 * During the rotation of a secret, every kind of delivery of a real gateway verifies with the old and the new secret, by
 * the published standardwebhooks package and by the documented code for the plain header.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import limits from '@presenza/contract/limits.json';
import { Webhook } from 'standardwebhooks';
import {
  freePort,
  type RunningGateway,
  type RunningServer,
  startGateway,
  startRedis,
} from '../../harness/index.mjs';
import { adminServices } from '../../src/admin/services';
import { HttpInferenceClient } from '../../src/services/inference/inference-client';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { WebhookService, webhookVault } from '../../src/services/webhooks/endpoints';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { RedisKeyStore } from '../../src/stores/redis-key-store';
import { RedisDeliveryLog } from '../../src/stores/webhooks/redis-delivery-log';
import { RedisWebhookStore } from '../../src/stores/webhooks/redis-webhook-store';
import { keySecret } from '../services';
import { until } from './deployment';
import { type Received, type Receiver, startReceiver } from './receiver';

const page = readFileSync(join(__dirname, '../../../web/content/docs/api-reference/webhooks.mdx'), 'utf8');
const [, recipe = ''] = /```javascript\n(import[\s\S]*?function isGenuine[\s\S]*?)```/.exec(page) ?? [];
const isGenuine: (body: string, header: string, secret: string) => boolean = new Function(
  'createHmac',
  'timingSafeEqual',
  `${recipe.replace(/^import.*$/m, '').replace('export ', '')} return isGenuine;`,
)(createHmac, timingSafeEqual);

const schemes = {
  standardwebhooks: ({ headers, body }: Received, secret: string) => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  },
  'plain HMAC': ({ headers, body }: Received, secret: string) =>
    isGenuine(body, String(headers['x-presenza-signature']), secret),
};
type Scheme = keyof typeof schemes;
const kinds = ['async', 'sync', 'replayed', 'test'] as const;
type Kind = (typeof kinds)[number];

const redirectUrl = 'https://shop.example/next';
let store: RunningServer;
let gateway: RunningGateway;
let redis: RedisClient;
let admin: ReturnType<typeof adminServices>;
const receivers: Receiver[] = [];

beforeAll(async () => {
  store = await startRedis();
  const inferenceUrl = `http://127.0.0.1:${await freePort()}`;
  redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  admin = adminServices(redis, new HttpInferenceClient(inferenceUrl), keySecret, { allowLoopback: true });
  gateway = await startGateway({
    REDIS_URL: store.url,
    KEY_SECRET: keySecret,
    INFERENCE_URL: inferenceUrl,
    NODE_ENV: 'production',
    WEBHOOK_ALLOWED_ADDRESSES: '127.0.0.1',
    GATEWAY_DRAIN_MS: '0',
  });
});
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await gateway.stop();
  redis.disconnect();
  await store.stop();
});

interface Sent extends Received {
  readonly status: 200 | 401;
}

/** A receiver that responds with 200 to requests that it can verify, and otherwise with 401. */
async function verifier(scheme: Scheme) {
  const sent: Sent[] = [];
  let secret = '';
  const receiver = await startReceiver((response, received) => {
    const status = schemes[scheme](received, secret) ? 200 : 401;
    sent.push({ ...received, status });
    const acknowledgement = { status: 'received', decision: 'redirect', redirectUrl };
    response.writeHead(status).end(status === 200 ? JSON.stringify(acknowledgement) : '{}');
  });
  receivers.push(receiver);
  return { url: receiver.url, sent, use: (its: string) => (secret = its) };
}

async function call(path: string, bearer: string) {
  const headers = { authorization: `Bearer ${bearer}` };
  const response = await fetch(gateway.url + path, { method: 'POST', headers });
  // biome-ignore lint/suspicious/noExplicitAny: other tests check responses against the contract
  return ((await response.json()) as any).data;
}

/** Rolls the secrets of two endpoints, triggers each kind of delivery, and returns the requests of their receivers. */
async function deliverAll(scheme: Scheme, holds: 'old' | 'new'): Promise<Record<Kind, Sent[]>> {
  const { id: account } = await admin.keys.createAccount('Shop', 'growth');
  const { apiKey } = await admin.keys.createKey(account, 'live');
  const endpoint = async (type: 'async' | 'sync', event: string) => {
    const { use, url, sent } = await verifier(scheme);
    const made = await admin.webhooks.create(account, {
      url,
      events: [event],
      type,
      ...(type === 'sync' && { onFailure: 'continue' }),
    });
    const { id } = made.endpoint;
    const rolled = await admin.webhooks.rollSecret(account, id, 3_600);
    use((holds === 'old' ? made : rolled).secret);
    const attempted = () =>
      until(
        async () => (await admin.deliveries.list(account, { limit: 1, webhookId: id })).items[0],
        (record) => record !== undefined && record.attempts > 0,
      );
    const during = async (act: () => Promise<unknown>) => {
      const before = sent.length;
      await act();
      return sent.slice(before);
    };
    return { id, attempted, during };
  };
  const asked = await endpoint('sync', 'session.started');
  const target = await endpoint('async', 'session.cancelled');
  const { sessionId, accessToken } = await call('/liveness', apiKey);

  return {
    test: await target.during(() => admin.deliveries.test(account, target.id)),
    sync: await asked.during(async () => {
      // The response counts only if the receiver accepted the request, within the 5 seconds.
      const started = await call(`/liveness/${sessionId}/start`, accessToken);
      expect(started).toMatchObject({ redirectUrl });
    }),
    async: await target.during(async () => {
      await call(`/liveness/${sessionId}/cancel`, accessToken);
      expect(await target.attempted()).toMatchObject({ state: 'delivered', attempts: 1 });
    }),
    replayed: await target.during(async () => {
      const { id } = (await target.attempted()) as { id: string };
      expect(await admin.deliveries.replay(account, { deliveryId: id })).toBe(1);
      expect(await target.attempted()).toMatchObject({ state: 'delivered', attempts: 1 });
    }),
  };
}

describe('during the grace period', () => {
  const combinations = (['old', 'new'] as const).flatMap((holds) =>
    (Object.keys(schemes) as Scheme[]).map((scheme) => ({ holds, scheme })),
  );
  const delivered = new Map<string, Record<Kind, Sent[]>>();
  beforeAll(async () => {
    await Promise.all(
      combinations.map(async ({ holds, scheme }) =>
        delivered.set(`${holds} ${scheme}`, await deliverAll(scheme, holds)),
      ),
    );
  });
  const cases = combinations.flatMap((combination) => kinds.map((kind) => ({ ...combination, kind })));

  test.each(cases)(
    'a receiver with the $holds secret verifies $kind by $scheme',
    ({ holds, scheme, kind }) => {
      const sent = delivered.get(`${holds} ${scheme}`)?.[kind] ?? [];
      // The plain header has room for one digest, which the old secret signs first.
      const isSecondRequest = scheme === 'plain HMAC' && holds === 'new';
      expect(sent.map(({ status }) => status)).toEqual(isSecondRequest ? [401, 200] : [200]);
      expect(new Set(sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
      expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    },
  );
});

/** An endpoint whose receiver records and rejects every request, and the secrets that sign each request of a sample. */
async function refusing() {
  const { id: account } = await admin.keys.createAccount('Shop', 'growth');
  const receiver = await verifier('plain HMAC');
  const settings = { url: receiver.url, events: ['session.completed'], type: 'async' } as const;
  const made = await admin.webhooks.create(account, settings);
  const { id } = made.endpoint;
  const signers = async (secrets: readonly string[]) => {
    const before = receiver.sent.length;
    await admin.deliveries.test(account, id);
    const sent = receiver.sent.slice(before);
    const by = (scheme: Scheme) =>
      sent.map((delivery) => secrets.flatMap((secret, i) => (schemes[scheme](delivery, secret) ? [i] : [])));
    return { plain: by('plain HMAC'), standard: by('standardwebhooks') };
  };
  return { account, id, secret: made.secret, signers };
}

test('signs only with the new secret after the grace period, in one request', async () => {
  const { account, id, secret, signers } = await refusing();
  const accounts = new RedisKeyStore(redis);
  const services = {
    store: new RedisWebhookStore(redis),
    log: new RedisDeliveryLog(redis),
    accounts,
    addresses: new AddressGuard({ allowLoopback: true }),
  };
  const twoHoursAgo = () => Date.now() - 7_200_000;
  const earlier = new WebhookService({ ...services, vault: webhookVault(keySecret), now: twoHoursAgo });
  const rolled = await earlier.rollSecret(account, id, 3_600);
  expect(await signers([secret, rolled.secret])).toEqual({ plain: [[1]], standard: [[1]] });
});

test('keeps the first secret valid after a second rotation in the grace period', async () => {
  const { account, id, secret, signers } = await refusing();
  const roll = async (graceSeconds: number) =>
    (await admin.webhooks.rollSecret(account, id, graceSeconds)).secret;
  const secrets = [secret, await roll(3_600), await roll(3_600)];
  const all = [0, 1, 2];
  expect(secrets).toHaveLength(limits.webhooks.maxSecretsPerEndpoint);
  expect(await signers(secrets)).toEqual({ plain: [[0], [1], [2]], standard: [all, all, all] });
  await expect(roll(3_600)).rejects.toThrow('already signs with 3 secrets');
  // A leaked secret ends at once, together with all earlier ones.
  expect(await signers([...secrets, await roll(0)])).toEqual({ plain: [[3]], standard: [[3]] });
});

test('sends one request to a receiver that rejects, without a rotation', async () => {
  const { secret, signers } = await refusing();
  expect(await signers([secret])).toEqual({ plain: [[0]], standard: [[0]] });
});
