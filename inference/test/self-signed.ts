/** A certificate for `localhost`, made and signed here: Node makes keys but no certificates. Encoding: X.690 (DER). */
import { generateKeyPairSync, sign } from 'node:crypto';

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return Buffer.concat([Buffer.of(tag, 0x82), length, body]);
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (...bytes: readonly number[]) => der(0x06, Buffer.from(bytes));
const time = (date: Date) =>
  der(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

const dayMs = 86_400_000;

/** @returns key and certificate in PEM, valid for a day around now. Fields: RFC 5280, 4.1. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const localhost = Buffer.from('localhost');
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, localhost))));
  const subjectAltName = sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(der(0x82, localhost))));
  const now = Date.now();
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    name,
    sequence(time(new Date(now - dayMs)), time(new Date(now + dayMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName)),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, privateKey));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
