import { createHash, createPublicKey, verify } from 'node:crypto';
import { createSigner, type Signer, signFrames } from './sign';

const attemptId = 'att_Rk3VtX8mQz1LwYc6NpSd';
const image = Buffer.from('an image');
const jpeg = new Blob([image]);

let now: number;
const clock = { now: () => now };
beforeEach(() => {
  now = 1000;
});

const signer = async () => (await createSigner(crypto)) as Signer;

test('signs attempt, nonce, number, time and image, so that the gateway can verify it', async () => {
  const signing = await signer();
  const sign = signFrames(signing, attemptId, clock);
  now = 1200.4;
  const [sequence, timeMs, signature = ''] = (await sign('1-nonce', jpeg))?.split('.') ?? [];
  expect([sequence, timeMs]).toEqual(['0', '200']);
  const digest = createHash('sha256').update(image).digest('hex');
  const text = ['liveness-frame-1', attemptId, '1-nonce', '0', '200', digest].join('\n');
  const key = createPublicKey({ key: { ...signing.publicKey }, format: 'jwk' });
  const bytes = Buffer.from(signature, 'base64url');
  expect(verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true);
  expect(signature).toMatch(/^[\w-]{86}$/);
});

test('numbers frames in the order of the calls, with ascending times', async () => {
  const sign = signFrames(await signer(), attemptId, clock);
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
  expect(await createSigner({} as Crypto)).toBeNull();
});

test('a signature that fails is missing', async () => {
  const broken = { ...(await signer()), sign: () => Promise.reject(new Error('refused')) };
  expect(await signFrames(broken, attemptId, clock)('a', jpeg)).toBeUndefined();
});
