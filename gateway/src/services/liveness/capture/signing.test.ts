import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { CaptureKey } from '@presenza/contract/client/types.d.ts';
import { beginSigning, follow, isSignedBy, parseSignature, type SignedFrame } from './signing';

const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' }) as CaptureKey;
const { publicKey, privateKey } = pair();
const key = jwkOf(publicKey);
const frame: SignedFrame = {
  attemptId: 'att_Rk3VtX8mQz1LwYc6NpSd',
  nonce: '7-AAAAAAAAAAAAAAAAAAAAAA',
  image: Buffer.from('an image'),
};
/** SHA-256 of the image, from openssl. */
const digest = 'a5df3fde7b200c3fa2791144c7e05c5c2bced4c6ad863d3a4cf76c972c1712f9';
const textOf = (sequence: number, timeMs: number) =>
  ['liveness-frame-1', frame.attemptId, frame.nonce, sequence, timeMs, digest].join('\n');
const signed = (sequence = 7, timeMs = 1400, by = privateKey) => ({
  sequence,
  timeMs,
  signature: sign('sha256', Buffer.from(textOf(sequence, timeMs)), { key: by, dsaEncoding: 'ieee-p1363' }),
});

test('a signature holds for its key, attempt, nonce, number, time and image only', () => {
  const signature = signed();
  expect(isSignedBy(key, frame, signature)).toBe(true);
  expect(isSignedBy(jwkOf(pair().publicKey), frame, signature)).toBe(false);
  expect(isSignedBy(key, { ...frame, attemptId: 'att_Rk3VtX8mQz1LwYc6NpSe' }, signature)).toBe(false);
  expect(isSignedBy(key, { ...frame, nonce: '8-AAAAAAAAAAAAAAAAAAAAAA' }, signature)).toBe(false);
  expect(isSignedBy(key, { ...frame, image: Buffer.from('an other') }, signature)).toBe(false);
  expect(isSignedBy(key, frame, { ...signature, sequence: 8 })).toBe(false);
  expect(isSignedBy(key, frame, { ...signature, timeMs: 1401 })).toBe(false);
  expect(isSignedBy(key, frame, { ...signature, signature: Buffer.alloc(64) })).toBe(false);
});

test('parses a signature', () => {
  const bytes = Buffer.alloc(64, 7);
  expect(parseSignature(`7.1400.${bytes.toString('base64url')}`)).toEqual({
    sequence: 7,
    timeMs: 1400,
    signature: bytes,
  });
});

const filler = 'A'.repeat(86);
test.each([
  '',
  '7.1400',
  `-1.1400.${filler}`,
  `7.1.5.${filler}`,
  `7.1400.${filler}A`,
  `99999.1.${filler}`,
  `7.12345678.${filler}`,
])('rejects the signature %j', (text) => expect(parseSignature(text)).toBeUndefined());

test('refuses a point that is not on the curve', () => {
  const [x, y] = [key.y, key.x];
  expect(() => beginSigning({ ...key, x, y })).toThrow(
    expect.objectContaining({ code: 'INVALID_PARAMETERS' }),
  );
  expect(() => beginSigning({ ...key, x: 'A'.repeat(43), y: 'A'.repeat(43) })).toThrow();
  expect(beginSigning(key)).toEqual({ key, latest: [] });
});

describe('order', () => {
  /** @returns whether each frame fits; a frame that does not is left out */
  const run = (frames: readonly (readonly [sequence: number, timeMs: number])[]) => {
    let signing = beginSigning(key);
    return frames.map(([sequence, timeMs]) => {
      const next = follow(signing, { sequence, timeMs });
      signing = next ?? signing;
      return next !== undefined;
    });
  };

  test('frames may overtake each other within the three that are under way', () => {
    expect(
      run([
        [2, 400],
        [0, 0],
        [1, 200],
        [4, 800],
        [3, 600],
        [9, 2000],
      ]),
    ).toEqual(Array(6).fill(true));
    expect(
      run([
        [3, 600],
        [0, 0],
      ]),
    ).toEqual([true, false]);
  });

  test('a number is used once', () => {
    expect(
      run([
        [0, 0],
        [0, 0],
        [0, 200],
        [1, 200],
        [2, 400],
        [1, 300],
      ]),
    ).toEqual([true, false, false, true, true, false]);
  });

  test('time does not stand still or go back, whenever it starts', () => {
    expect(
      run([
        [0, 5_000_000],
        [1, 5_000_200],
        [2, 5_000_200],
        [2, 5_000_100],
        [2, 5_000_201],
      ]),
    ).toEqual([true, true, false, false, true]);
    // An overtaken frame fits between its neighbors.
    expect(
      run([
        [0, 0],
        [2, 400],
        [1, 500],
      ]),
    ).toEqual([true, true, false]);
    expect(
      run([
        [0, 0],
        [2, 400],
        [1, 300],
      ]),
    ).toEqual([true, true, true]);
  });

  test('keeps no more than the frames that may be under way', () => {
    let signing = beginSigning(key);
    for (let i = 0; i < 400; i++) signing = follow(signing, { sequence: i, timeMs: 200 * i }) ?? signing;
    expect(signing.latest).toEqual([397, 398, 399].map((sequence) => ({ sequence, timeMs: 200 * sequence })));
  });
});
