/** Known values: the example headers of openapi.json and of the Standard Webhooks specification. */
import openapi from '@presenza/contract/openapi.json';
import { readContract } from '../contract/contract';
import { signatureHeaders } from './signature';

const { parameters } = openapi.components;
const names = ['X-Presenza-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const example = Object.fromEntries(names.map((name) => [name, parameters[name].example]));

const body = Buffer.from(JSON.stringify(readContract('examples/webhook-event--session-completed.json')));
const secret = /secret (whsec_\S+),/.exec(parameters['X-Presenza-Signature'].description)?.[1] as string;
const eventId = example['webhook-id'] as string;
const sentAt = 1000 * Number(example['webhook-timestamp']);

test('matches the documented example', () => {
  expect(signatureHeaders({ eventId, sentAt, body, secrets: [secret] })).toEqual(example);
});

test('matches the example of Standard Webhooks', () => {
  const headers = signatureHeaders({
    eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: 1614265330_999,
    body: Buffer.from('{"test": 2432232314}'),
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  });
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('signs webhook-signature with every secret and X-Presenza-Signature with the first', () => {
  const other = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const headers = signatureHeaders({ eventId, sentAt, body, secrets: [secret, other] });
  expect(headers['X-Presenza-Signature']).toBe(example['X-Presenza-Signature']);
  const [first, second, ...more] = (headers['webhook-signature'] as string).split(' ');
  expect(first).toBe(example['webhook-signature']);
  expect(second).toMatch(/^v1,/);
  expect(second).not.toBe(first);
  expect(more).toEqual([]);
});
