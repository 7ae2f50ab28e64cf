import { createHash, createPublicKey, verify, webcrypto } from 'node:crypto';
import { TextEncoder } from 'node:util';
import { createSigner, type Means, type Signer, signFrames } from './sign';

const attemptId = 'att_Rk3VtX8mQz1LwYc6NpSd';
const jpeg = { size: 8 } as Blob;
const image = Buffer.from('an image');

let now: number;
const means = {
  crypto: webcrypto,
  performance: { now: () => now },
  TextEncoder,
  Uint8Array,
} as unknown as Means;

const { Response } = globalThis;
beforeEach(() => {
  now = 1000;
  // jsdom has none.
  globalThis.Response = class {
    arrayBuffer = async () => new Uint8Array(image).buffer;
  } as never;
});
afterEach(() => {
  globalThis.Response = Response;
});

const signer = async () => (await createSigner(means)) as Signer;

test('signs attempt, nonce, number, time and image, so that the gateway can verify it', async () => {
  const one = await signer();
  const sign = signFrames(one, attemptId, means);
  now = 1200.4;
  const [sequence, timeMs, signature = ''] = (await sign('1-nonce', jpeg))?.split('.') ?? [];
  expect([sequence, timeMs]).toEqual(['0', '200']);
  const digest = createHash('sha256').update(image).digest('hex');
  const text = ['liveness-frame-1', attemptId, '1-nonce', '0', '200', digest].join('\n');
  const key = createPublicKey({ key: { ...one.publicKey }, format: 'jwk' });
  const bytes = Buffer.from(signature, 'base64url');
  expect(verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true);
  expect(signature).toMatch(/^[\w-]{86}$/);
});

test('numbers frames in the order of the calls, with ascending times', async () => {
  const sign = signFrames(await signer(), attemptId, means);
  const sent = await Promise.all(['a', 'b', 'c'].map((nonce) => sign(nonce, jpeg)));
  expect(sent.map((text) => text?.split('.').slice(0, 2))).toEqual([
    ['0', '0'],
    ['1', '1'],
    ['2', '2'],
  ]);
});

test('sends nothing but the public part of its key', async () => {
  const { publicKey } = await signer();
  expect(Object.keys(publicKey).sort()).toEqual(['crv', 'kty', 'x', 'y']);
});

test('has no key on a page without TLS', async () => {
  expect(await createSigner({ ...means, crypto: {} as Crypto })).toBeNull();
});

test('a signature that fails is missing', async () => {
  const broken = { ...(await signer()), sign: () => Promise.reject(new Error('refused')) };
  expect(await signFrames(broken, attemptId, means)('a', jpeg)).toBeUndefined();
});
