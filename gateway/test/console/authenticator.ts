/** An authenticator in software, with one passkey: ES256, no attestation (WebAuthn Level 3, sections 6.1 and 6.5). */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const flags = { present: 0x01, verified: 0x04, attested: 0x40 };
const text = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

export class Authenticator {
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private readonly id = randomBytes(16);
  private handle = '';
  private counter = 0;

  /** @param verifies the person, by PIN or biometrics */
  constructor(
    private readonly origin: string,
    private readonly verifies = true,
  ) {}

  // biome-ignore lint/suspicious/noExplicitAny: the options are the browser's
  create({ challenge, user }: any) {
    this.handle = user.id;
    const { x, y } = this.keys.publicKey.export({ format: 'jwk' });
    const coordinate = (value = '') => new Uint8Array(Buffer.from(value, 'base64url'));
    const key = new Map<number, number | Uint8Array>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as const),
      ...([
        [-2, coordinate(x)],
        [-3, coordinate(y)],
      ] as const),
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const authData = Buffer.concat([
      this.data(flags.attested),
      Buffer.alloc(16),
      length,
      this.id,
      isoCBOR.encode(key),
    ]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ]);
    return this.response({
      clientDataJSON: text(this.clientData('webauthn.create', challenge)),
      attestationObject: text(isoCBOR.encode(attestation as never)),
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: the options are the browser's
  get({ challenge }: any) {
    const clientData = this.clientData('webauthn.get', challenge);
    const authData = this.data(0);
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.keys.privateKey);
    return this.response({
      clientDataJSON: text(clientData),
      authenticatorData: text(authData),
      signature: text(signature),
      userHandle: this.handle,
    });
  }

  private response(response: object) {
    const id = text(this.id);
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string): string {
    return JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false });
  }

  private data(extra: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++this.counter);
    const set = flags.present | (this.verifies ? flags.verified : 0) | extra;
    return Buffer.concat([sha256(new URL(this.origin).hostname), Buffer.from([set]), counter]);
  }
}
