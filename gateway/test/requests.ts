/** Requests drawn from the API description with fast-check: what its schemas allow, and what nobody foresaw. */
import fc from 'fast-check';
import { resolve } from './description';

// biome-ignore lint/suspicious/noExplicitAny: schemas and bodies are walked freely in tests
type Doc = any;

const imageSchema = '#/components/schemas/DataUriImage';

const imageBytes = fc
  .tuple(fc.constantFrom([0xff, 0xd8, 0xff], [0x47], []), fc.constantFrom(0, 1, 100, 9_000), fc.nat(255))
  .map(([start, size, fill]) => Buffer.concat([Buffer.from(start), Buffer.alloc(size, fill)]));
const imageText = fc.oneof(
  imageBytes.map((bytes) => `data:image/jpeg;base64,${bytes.toString('base64')}`),
  fc.string({ unit: 'binary', minLength: 1 }),
);

/** Values that a schema allows. @throws Error for a schema in words that this does not know. */
export function valid(schema: Doc): fc.Arbitrary<unknown> {
  if (schema.$ref === imageSchema) return imageText;
  if (schema.$ref) return valid(resolve(schema));
  // Examples show what the schema cannot express, such as the names of categories.
  if (schema.examples) return fc.constantFrom(...schema.examples);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valid));
  const { minimum: min, maximum: max, minLength, maxLength } = schema;
  if (schema.type === 'object') return validObject(schema);
  if (schema.type === 'array') return validArray(schema);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min, max });
  if (schema.type === 'number') return fc.double({ min, max, noNaN: true });
  if (schema.format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (schema.type === 'string' && schema.pattern) {
    const isShort = (text: string) => text.length <= (maxLength ?? Number.POSITIVE_INFINITY);
    return fc.stringMatching(new RegExp(schema.pattern)).filter(isShort);
  }
  if (schema.type === 'string' && maxLength) return fc.string({ minLength, maxLength });
  throw new Error(`No values are drawn for ${JSON.stringify(schema)}`);
}

function validObject({ properties, required = [] }: Doc): fc.Arbitrary<unknown> {
  if (!properties) return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  const fields = Object.entries(properties).map(([name, schema]) => [name, valid(schema)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

function validArray({
  items,
  minItems: minLength = 0,
  maxItems = 4,
  uniqueItems,
}: Doc): fc.Arbitrary<unknown> {
  const bounds = { minLength, maxLength: Math.min(maxItems, 4) };
  return uniqueItems ? fc.uniqueArray(valid(items), bounds) : fc.array(valid(items), bounds);
}

const nested = fc.constantFrom(10, 70, 500).map((depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)));
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    null,
    '',
    0,
    -1,
    1.01,
    2 ** 53,
    -1e308,
    [],
    {},
    'all',
    'data:image/png;base64,',
    '\u0000',
    '__proto__',
  ),
  fc.constantFrom(1_025, 9_000, 70_000).map((size) => 'x'.repeat(size)),
  imageText,
  nested,
);
const oddName = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'image',
    'attributes',
    'operations',
    'hasOwnProperty',
    'x'.repeat(2_000),
  ),
);

/** Bodies that a schema allows, changed in a few places. */
export const changed = (schema: Doc): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      valid(schema),
      fc.array(fc.tuple(fc.constantFrom('remove', 'replace', 'add'), fc.nat(), oddName, oddValue), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([body, changes]) => changes.reduce((before, change) => changedOnce(before, ...change), body));

function changedOnce(body: Doc, kind: string, place: number, name: string, value: unknown): unknown {
  if (typeof body !== 'object' || body === null) return value;
  const names = Object.keys(body);
  const at = names[place % (names.length + 1)];
  if (at === undefined && kind === 'replace') return value;
  const entries = Object.entries(body);
  const others = entries.filter(([other]) => other !== at);
  if (kind === 'add') return Object.fromEntries([...entries, [name, value]]);
  if (kind === 'remove' || at === undefined) return Object.fromEntries(others);
  // Into the depth, where there is one.
  return Object.fromEntries([
    ...others,
    [at, place % 2 ? changedOnce(body[at], 'replace', place >> 1, name, value) : value],
  ]);
}

export interface Body {
  readonly type: string;
  readonly bytes: Buffer;
}

export const asJson = (value: unknown): Body => ({
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});

const boundary = 'boundary-that-nobody-draws';
const multipart = `multipart/form-data; boundary=${boundary}`;

/** Fields as forms and query strings have them: an empty list is no field. */
export const fieldsOf = (fields: object): [string, unknown][] =>
  Object.entries(fields).filter(([, value]) => !Array.isArray(value) || value.length > 0);

/** A body's fields as the parts of a form: lists with commas or repeated, texts of images as files now and then. */
export function asForm(fields: unknown, repeat: boolean, files: boolean): Body {
  const named = typeof fields === 'object' && fields !== null ? fields : { image: fields };
  const parts = fieldsOf(named).flatMap(([name, value]) =>
    (Array.isArray(value) && repeat ? value : [value]).map((one) => partOf(name, one, files)),
  );
  return { type: multipart, bytes: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]) };
}

/** How forms and query strings write a value: a list with commas. */
export function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(asText).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function partOf(name: string, value: unknown, files: boolean): Buffer {
  const text = asText(value);
  const base64 = /^data:image\/\w+;base64,(.*)$/s.exec(text)?.[1];
  const bytes = files && base64 !== undefined ? Buffer.from(base64, 'base64') : Buffer.from(text);
  const file = bytes.length !== Buffer.byteLength(text) ? '; filename="photo.jpg"' : '';
  const quoted = encodeURIComponent(name);
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"${file}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]);
}

/** Pieces of forms in any order. */
export const brokenForm: fc.Arbitrary<Body> = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(
          `--${boundary}`,
          `--${boundary}--`,
          '\r\n',
          '\r\n\r\n',
          '\n',
          '--',
          'Content-Disposition: form-data; name="image"; filename="a.jpg"',
          'Content-Disposition: form-data; name="attributes"',
          "Content-Disposition: form-data; name*=utf-8''a%ff",
          'Content-Disposition: attachment',
          'Content-Type: text/plain; charset=utf-16le',
          'Content-Type: image/png',
          'Content-Transfer-Encoding: base64',
          'all',
          'x'.repeat(9_000),
        )
        .map((text) => Buffer.from(text)),
      imageBytes,
      fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 20 },
  )
  .map((pieces) => ({ type: multipart, bytes: Buffer.concat(pieces) }));

/** Anything under any type. */
export const oddBody: fc.Arbitrary<Body> = fc.record({
  type: fc.constantFrom(
    'application/json',
    'application/json; charset=utf-16',
    'application/json; charset="UTF-8"',
    'application/json, text/plain',
    'multipart/form-data',
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary=b; boundary=c',
    "multipart/form-data; boundary*=utf-8''b",
    'multipart/mixed; boundary=b',
    'image/jpeg',
    'image/*',
    'image/svg+xml; charset=utf-8',
    'text/plain',
    '/',
    '',
  ),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .constantFrom('{}', '[', '{"image":1e999}', '"\\ud800"', '--b--', '--b\r\n\r\n\r\n--b--')
      .map((text) => Buffer.from(text)),
    imageBytes,
  ),
});

const headerText = fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,40}$/);

/** Headers that clients get wrong. */
export const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    'x-request-id': fc.oneof(headerText, fc.stringMatching(/^[\w.:-]{1,128}$/)),
    'idempotency-key': fc.oneof(headerText, fc.constantFrom('x'.repeat(256), '')),
    authorization: fc.oneof(headerText, fc.constantFrom('Bearer wrong', 'bearer right', 'Bearer')),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'IDENTITY', ''),
    accept: fc.constantFrom('text/html', '*/*;q=0', 'x'),
    traceparent: headerText,
    'if-none-match': fc.constantFrom('*', '"x"'),
    range: fc.constantFrom('bytes=0-1', 'x'),
    'x-forwarded-for': headerText,
    'x-http-method-override': fc.constantFrom('DELETE'),
  },
  { requiredKeys: [] },
);

/** Query strings, well-formed and not. */
export const oddQuery = fc.oneof(
  fc.constantFrom(
    '',
    '?',
    '?attributes=all',
    '?confidenceThreshold=0.5',
    '?image=x',
    '?attributes=%ff',
    '?a=1&a=2',
  ),
  fc.webQueryParameters().map((query) => `?${query}`),
);
