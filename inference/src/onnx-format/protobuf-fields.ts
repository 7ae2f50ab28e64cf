/**
 * Protocol Buffers at the level of the encoding: a message is a list of numbered fields, which can be kept without knowing
 * their meaning. Used to change a few fields of a foreign file and keep every other byte.
 */
import { Reader, Writer } from 'protobufjs/light';

/** Wire type of strings, bytes and messages. */
const lengthDelimited = 2;
const varint = 0;

export interface WireField {
  readonly id: number;
  /** The encoded field, including its tag. */
  readonly raw: Uint8Array;
  /** Its value if it is a string, bytes or a message, else empty. */
  readonly bytes: Uint8Array;
  /** Its value if it is an integer, else 0. */
  readonly int: number;
}

/**
 * The fields of a message in their order.
 * @throws RangeError when the bytes are not a message.
 */
export function fieldsOf(message: Uint8Array): WireField[] {
  const reader = Reader.create(message);
  const fields: WireField[] = [];
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const tag = reader.uint32();
    const [id, type] = [tag >>> 3, tag & 7];
    if (id === 0) throw new RangeError('a field without a number');
    let bytes: Uint8Array = new Uint8Array();
    let int = 0;
    if (type === lengthDelimited) bytes = reader.bytes();
    else if (type === varint) int = Number(reader.int64());
    else reader.skipType(type);
    fields.push({ id, raw: message.subarray(start, reader.pos), bytes, int });
  }
  return fields;
}

/** The last field of a number, which takes precedence where a message has several. */
export const lastOf = (fields: readonly WireField[], id: number) =>
  fields.findLast((field) => field.id === id);

export const allOf = (fields: readonly WireField[], id: number) => fields.filter((field) => field.id === id);

export const textOf = (field: WireField | undefined) => Buffer.from(field?.bytes ?? []).toString('utf8');

/** A field with a string, bytes or a message, as parts to concatenate. */
export function bytesField(id: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Writer.create()
    .uint32((id << 3) | lengthDelimited)
    .uint32(length)
    .finish();
  return [head, ...parts];
}
