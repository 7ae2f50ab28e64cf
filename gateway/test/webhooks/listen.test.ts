import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { listen, parseListen } from '../../src/admin/listen';
import { signatureHeaders } from '../../src/services/webhooks/signature';
import { startReceiver, status } from './receiver';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = Buffer.from('{"eventType":"session.failed"}');
const headers = (...secrets: readonly [string, ...string[]]) =>
  signatureHeaders({ eventId: 'evt_1', sentAt: Date.now(), body, secrets });
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

test('prints events with the validity of their signatures and forwards them', async () => {
  const target = await startReceiver(status(202));
  const printed: string[] = [];
  const server = listen({ port: 0, secret, forward: target.url }, (text) => printed.push(text));
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = async (sent: Record<string, string>) =>
    (await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(body) })).status;
  expect(await post(headers(secret))).toBe(202);
  expect(await post(headers(other))).toBe(401);
  // The secret is being rotated.
  expect(await post(headers(other, secret))).toBe(202);
  expect(printed).toEqual(['valid', 'invalid', 'valid'].map((word) => `evt_1  ${word}\n${body}`));
  const passedOn = target.all.map((delivery) => [delivery.body, delivery.headers['webhook-id']]);
  expect(passedOn).toEqual([0, 1].map(() => [String(body), 'evt_1']));
  server.closeAllConnections();
  server.close();
  await target.close();
});

test.each([[['--port', 'x']], [['--secret', 'no']], [['--forward', 'no']], [['--other', '1']]])(
  'rejects the arguments %j',
  (args) => {
    expect(() => parseListen(args)).toThrow();
  },
);
