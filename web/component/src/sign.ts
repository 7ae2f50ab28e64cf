/**
 * Signs the frames of the page's attempts with a key that cannot leave this browser. The gateway then accepts no frame
 * that somebody adds with the access token alone. Pages without TLS have no WebCrypto, except on localhost, and send
 * their frames unsigned.
 */
import type { AttemptRequest } from './wire';

export type PublicKey = NonNullable<AttemptRequest['publicKey']>;

export interface Signer {
  publicKey: PublicKey;
  /** @returns 64 bytes */
  sign(text: string): Promise<ArrayBuffer>;
  digest(data: ArrayBuffer): Promise<ArrayBuffer>;
}

/** The constructors are injected, because using the globals would add polyfills. */
export type Means = Pick<Window & typeof globalThis, 'crypto' | 'performance' | 'TextEncoder' | 'Uint8Array'>;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Names the format of the signed text. */
const FORMAT = 'liveness-frame-1';

/** @returns null in a browser without WebCrypto, or one that refuses to make keys */
export async function createSigner({ crypto, TextEncoder: Encoder }: Means): Promise<Signer | null> {
  try {
    const { subtle } = crypto;
    // The public key is exportable in any case.
    const { publicKey, privateKey } = await subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    const { x = '', y = '' } = await subtle.exportKey('jwk', publicKey);
    return {
      publicKey: { kty: 'EC', crv: 'P-256', x, y },
      sign: (text) => subtle.sign(ALGORITHM, privateKey, new Encoder().encode(text)),
      digest: (data) => subtle.digest('SHA-256', data),
    };
  } catch {
    return null;
  }
}

export type SignFrame = (nonce: string, jpeg: Blob) => Promise<string | undefined>;

/**
 * @returns a function that signs the frames of one attempt in the order of its calls; undefined if a signature fails,
 *   which the gateway refuses like a lost frame
 */
export function signFrames({ sign, digest }: Signer, attemptId: string, means: Means): SignFrame {
  const { performance, Uint8Array: Bytes } = means;
  const beganAt = performance.now();
  let sent = 0;
  let lastMs = -1;
  return async (nonce, jpeg) => {
    const sequence = sent++;
    lastMs = Math.max(lastMs + 1, Math.round(performance.now() - beganAt));
    const timeMs = lastMs;
    try {
      // Blob.arrayBuffer came to Safari with version 14.
      const image = await new Response(jpeg).arrayBuffer();
      const hash = hex(new Bytes(await digest(image)));
      const signature = await sign([FORMAT, attemptId, nonce, sequence, timeMs, hash].join('\n'));
      return `${sequence}.${timeMs}.${base64url(new Bytes(signature))}`;
    } catch {
      return undefined;
    }
  };
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const URL_CHARACTERS: Record<string, string> = { '+': '-', '/': '_', '=': '' };

/** Without regular expressions, which would add polyfills. */
const base64url = (bytes: Uint8Array) =>
  Array.from(
    btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')),
    (character) => URL_CHARACTERS[character] ?? character,
  ).join('');
