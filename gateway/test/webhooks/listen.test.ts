import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { listen, parseListen } from '../../src/admin/listen';
import { signatureHeaders } from '../../src/services/webhooks/signature';
import { startReceiver, status } from './receiver';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const body = Buffer.from('{"eventType":"session.failed"}');
const headers = (of = secret) =>
  signatureHeaders({ eventId: 'evt_1', sentAt: Date.now(), body, secrets: [of] });

test('what arrives is printed, with whether its signatures are true, and passed on', async () => {
  const target = await startReceiver(status(202));
  const printed: string[] = [];
  const server = listen({ port: 0, secret, forward: target.url }, (text) => printed.push(text));
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = async (sent: Record<string, string>) =>
    (await fetch(url, { method: 'POST', headers: sent, body: new Uint8Array(body) })).status;
  expect(await post(headers())).toBe(202);
  expect(await post(headers(`whsec_${Buffer.alloc(32, 8).toString('base64')}`))).toBe(401);
  expect(printed).toEqual([`evt_1  valid\n${body}`, `evt_1  invalid\n${body}`]);
  expect(target.all.map((one) => [one.body, one.headers['webhook-id']])).toEqual([[String(body), 'evt_1']]);
  server.closeAllConnections();
  server.close();
  await target.close();
});

test.each([[['--port', 'x']], [['--secret', 'no']], [['--forward', 'no']], [['--other', '1']]])(
  '%j is a mistake',
  (args) => {
    expect(() => parseListen(args)).toThrow();
  },
);
