/**
 * Signatures of frames. The page makes a key whose private part cannot leave its browser, sends the public part when an
 * attempt begins, and signs each frame. So nobody who only has the session's access token can add frames to the attempt,
 * and a frame cannot move to another place, attempt or time. A signature does not prove that a camera took the image.
 */
import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { CaptureKey } from '@presenza/contract/client/types.d.ts';
import { ApiError } from '../../../errors';
import { wrongValue } from '../../../errors/expectation';
import { outstanding } from './nonces';

/** The page's statements about a frame, with their signature. */
export interface FrameSignature {
  /** Position among the frames that the page sent in this attempt, from 0. A frame that is sent again gets a new one. */
  readonly sequence: number;
  /** When the image was taken, in milliseconds on a clock that starts with the attempt. */
  readonly timeMs: number;
  /** ECDSA with P-256 and SHA-256, both numbers of 32 bytes after each other. */
  readonly signature: Buffer;
}

/** The order of the signed frames, as small plain JSON. */
export interface Signing {
  readonly key: CaptureKey;
  /** The latest accepted frames in order of their sequence; at most as many as may be under way. */
  readonly latest: readonly Moment[];
}

type Moment = Pick<FrameSignature, 'sequence' | 'timeMs'>;

/** The signed parts of a frame. */
export interface SignedFrame {
  readonly attemptId: string;
  readonly nonce: string;
  readonly image: Buffer;
}

/** Names the format, so that a signature has no meaning elsewhere. */
const format = 'liveness-frame-1';
const form = /^(\d{1,4})\.(\d{1,7})\.([\w-]{86})$/;

/** @returns undefined for any other text. */
export function parseSignature(text: string): FrameSignature | undefined {
  const [, sequence, timeMs, signature = ''] = form.exec(text) ?? [];
  if (sequence === undefined) return undefined;
  return {
    sequence: Number(sequence),
    timeMs: Number(timeMs),
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** @throws ApiError INVALID_PARAMETERS if the point is not on the curve. */
export function beginSigning(key: CaptureKey): Signing {
  try {
    publicKeyOf(key);
  } catch {
    throw new ApiError('INVALID_PARAMETERS', wrongValue('publicKey', 'publicKey'));
  }
  return { key, latest: [] };
}

export function isSignedBy(
  key: CaptureKey,
  { attemptId, nonce, image }: SignedFrame,
  { sequence, timeMs, signature }: FrameSignature,
): boolean {
  const digest = createHash('sha256').update(image).digest('hex');
  const text = [format, attemptId, nonce, sequence, timeMs, digest].join('\n');
  return verify('sha256', Buffer.from(text), { key: publicKeyOf(key), dsaEncoding: 'ieee-p1363' }, signature);
}

/**
 * Adds a frame. Frames may overtake each other as far as so many are under way, but a sequence number is used once, and
 * later frames have later times.
 * @returns undefined if the frame is out of order.
 */
export function follow({ key, latest }: Signing, { sequence, timeMs }: Moment): Signing | undefined {
  const newest = latest.at(-1)?.sequence ?? Number.NEGATIVE_INFINITY;
  if (sequence <= newest - outstanding) return undefined;
  const fits = latest.every(
    (frame) => frame.sequence !== sequence && frame.sequence < sequence === frame.timeMs < timeMs,
  );
  if (!fits) return undefined;
  const ordered = [...latest, { sequence, timeMs }].sort((a, b) => a.sequence - b.sequence);
  return { key, latest: ordered.slice(-outstanding) };
}

/** Node refuses coordinates that are not on the curve. Without `d`, the key has no private part. */
const publicKeyOf = ({ kty, crv, x, y }: CaptureKey): KeyObject =>
  createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
