/**
 * Signs the frames of the page's attempts with a key that cannot leave this browser. The gateway then accepts no frame
 * that somebody adds with the access token alone. Pages without TLS have no WebCrypto, except on localhost, and send
 * their frames unsigned.
 */
import { base64url, hex } from './bytes';
import type { AttemptRequest } from './wire';

export type PublicKey = NonNullable<AttemptRequest['publicKey']>;

export interface Signer {
  publicKey: PublicKey;
  /** @returns 64 bytes */
  sign(text: string): Promise<ArrayBuffer>;
  digest(data: ArrayBuffer): Promise<ArrayBuffer>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** Names the format of the signed text. */
const FORMAT = 'liveness-frame-1';

/** @returns null in a browser without WebCrypto, or one that refuses to make keys */
export async function createSigner({ subtle }: Pick<Crypto, 'subtle'>): Promise<Signer | null> {
  try {
    // The public key is exportable in any case.
    const { publicKey, privateKey } = await subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    const { x = '', y = '' } = await subtle.exportKey('jwk', publicKey);
    return {
      publicKey: { kty: 'EC', crv: 'P-256', x, y },
      sign: (text) => subtle.sign(ALGORITHM, privateKey, new TextEncoder().encode(text)),
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
export function signFrames(
  { sign, digest }: Signer,
  attemptId: string,
  clock: Pick<Performance, 'now'> = performance,
): SignFrame {
  const beganAt = clock.now();
  let sent = 0;
  let lastMs = -1;
  return async (nonce, jpeg) => {
    const sequence = sent++;
    lastMs = Math.max(lastMs + 1, Math.round(clock.now() - beganAt));
    const timeMs = lastMs;
    try {
      // Blob.arrayBuffer came to Safari with version 14.
      const image = await new Response(jpeg).arrayBuffer();
      const hash = hex(new Uint8Array(await digest(image)));
      const signature = await sign([FORMAT, attemptId, nonce, sequence, timeMs, hash].join('\n'));
      return `${sequence}.${timeMs}.${base64url(new Uint8Array(signature))}`;
    } catch {
      return undefined;
    }
  };
}
