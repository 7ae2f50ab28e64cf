/** Requests drawn from the API description with fast-check: what its schemas allow, and what nobody foresaw. */
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { resolve, targetOf } from './description';

// biome-ignore lint/suspicious/noExplicitAny: schemas and bodies are walked freely in tests
type Doc = any;

/** Names of categories, and the scheme of an app, that the account of these requests has. */
export const ownCategories = ['Logos', 'Pets'];
export const ownScheme = 'myapp';

const signatures = [
  'ffd8ff',
  '89504e470d0a1a0a',
  '524946460000000057454250',
  '474946383961',
  '0000001866747970686569630000',
];
/** Bytes that begin like an image of each format, which is all that the gateway looks at. */
const imageOfAFormat = fc
  .tuple(fc.constantFrom(...signatures), fc.uint8Array({ maxLength: 9_000 }))
  .map(([signature, rest]) => Buffer.concat([Buffer.from(signature, 'hex'), rest]));
const prefix = fc.constantFrom(
  'data:image/jpeg;base64,',
  'data:IMAGE/PNG;base64,',
  'data:image/jpeg;name=a.jpg;base64,',
  'data:application/octet-stream;base64,',
  'data:;base64,',
  'DATA:;BASE64,',
);
/** Images in each way to write them, in one line or in lines as encoders for mail write them. */
const dataUri = fc
  .tuple(imageOfAFormat, prefix, fc.constantFrom('', '\n', '\r\n'), fc.boolean())
  .map(([bytes, start, lineEnd, padded]) => {
    const text = bytes.toString('base64').replace(/.{76}/g, `$&${lineEnd}`);
    return start + (padded ? text : text.replaceAll('=', ''));
  });

/** The bytes of an image that `valid` drew. */
export const bytesOf = (uri: string): Buffer => Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');

const wordsOf = (longest: number) =>
  fc.stringMatching(new RegExp(`^[\\p{L}\\d]([\\p{L}\\d ,.]{0,${longest - 2}}[\\p{L}\\d])?$`, 'u'));
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const range = fc
  .oneof(fc.tuple(fc.ipV4(), fc.nat(32)), fc.tuple(fc.ipV6(), fc.nat(128)))
  .map(([network, bits]) => `${network}/${bits}`);
const scheme = (word: string) => fc.mixedCase(fc.constant(word));
const webUrl = fc
  .tuple(scheme('https'), fc.domain(), fc.option(fc.integer({ min: 1, max: 65_535 })), fc.webPath())
  .map(
    ([protocol, domain, port, path]) => `${protocol}://${domain}${port === null ? '' : `:${port}`}${path}`,
  );

/** Metadata as its description allows it. */
const metadata = fc
  .dictionary(
    fc.string({ maxLength: 20 }),
    fc.jsonValue({ maxDepth: 2, depthSize: 'small' }).filter((value) => !hasLongInteger(value)),
    { maxKeys: 5 },
  )
  .filter(
    (value) =>
      !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(value)) &&
      Buffer.byteLength(JSON.stringify(value)) <= 8_192,
  );

function hasLongInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongInteger);
}

const time = fc
  .date({ min: new Date(0), max: new Date('9000-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/**
 * Rules that JSON Schema cannot express, by the name of a component or one of its properties: how the description states
 * each, and values that obey it.
 */
export const statedRules: Readonly<
  Record<string, { readonly says: string; readonly values: fc.Arbitrary<unknown> }>
> = {
  DataUriImage: { says: 'JPEG, PNG, WebP, GIF or HEIC bytes after the comma', values: dataUri },
  'ModerateRequest.categories': {
    says: "or names of your account's own categories",
    values: fc.uniqueArray(fc.constantFrom('Explicit', 'Suggestive', 'Violence', ...ownCategories)),
  },
  'LivenessRequest.returnUrl': {
    says: 'needs a scheme that the account allows',
    values: fc.oneof(
      webUrl,
      scheme(ownScheme).map((word) => `${word}://done?x=1#y`),
      scheme('http').map((word) => `${word}://localhost:3000/done`),
    ),
  },
  Metadata: {
    says: 'No name, at any depth, may be __proto__, constructor or prototype. Integers have at most 53 bits',
    values: metadata,
  },
  'LivenessAttemptRequest.consent': { says: 'Nothing is captured without it', values: fc.constant(true) },
  CaptureKey: {
    says: 'an ECDSA key on the curve P-256',
    values: fc.constant(publicKey.export({ format: 'jwk' })),
  },
  BatchOperationBody: {
    says: 'a detection, comparison or moderation request',
    values: fc.record({ image: dataUri }),
  },
  'BatchOperation.id': { says: 'unique within the batch', values: fc.uuid() },
  'KeyCreateRequest.name': {
    says: 'one line of 1 to 64 characters without spaces at its ends',
    values: wordsOf(64),
  },
  'KeyCreateRequest.cidrs': {
    says: 'Addresses and ranges that the new key may be used from',
    values: fc.array(fc.oneof(address, range), { minLength: 1, maxLength: 4 }),
  },
  'KeyCreateRequest.expiresAt': {
    says: 'A time in the future',
    values: fc
      .date({ min: new Date('2100-01-01'), max: new Date('9000-01-01'), noInvalidDate: true })
      .map((time) => time.toISOString()),
  },
  'WebhookCreateRequest.url': { says: 'with a public host', values: webUrl },
  'WebhookCreateRequest.type': { says: 'on plans that include it', values: fc.constantFrom('async', 'sync') },
  'WebhookCreateRequest.onFailure': { says: 'Async endpoints take none', values: fc.constant(undefined) },
};

/** The description of a component or of one of its properties. */
export function descriptionOf(place: string): string {
  const [component, property] = place.split('.');
  const node = targetOf(`#/components/schemas/${component}`);
  return (property === undefined ? node : node.properties[property]).description;
}

const imageBytes = fc
  .tuple(fc.constantFrom([0xff, 0xd8, 0xff], [0x47], []), fc.constantFrom(0, 1, 100, 9_000), fc.nat(255))
  .map(([start, size, fill]) => Buffer.concat([Buffer.from(start), Buffer.alloc(size, fill)]));
/** Images and texts that are none. */
const imageText = fc.oneof(
  imageBytes.map((bytes) => `data:image/jpeg;base64,${bytes.toString('base64')}`),
  fc.string({ unit: 'binary', minLength: 1 }),
);

/**
 * Values that a schema and the rules of its description allow.
 * @param place the component that it is, or the property of one.
 * @param whole whether objects have all their fields; otherwise each optional field may be absent.
 * @throws Error for a schema in words that this does not know.
 */
export function valid(schema: Doc, { place = '', whole = false } = {}): fc.Arbitrary<unknown> {
  const rule = statedRules[place];
  if (rule) return rule.values;
  if (schema.$ref) return valid(resolve(schema), { place: schema.$ref.split('/').at(-1), whole });
  if (schema['x-also-accepts']) {
    const { 'x-also-accepts': keywords, ...rest } = schema;
    return fc.oneof(fc.constantFrom(...keywords), valid(rest, { whole }));
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { minimum: min, maximum: max, minLength, maxLength } = schema;
  if (schema.type === 'object') return validObject(schema, { place, whole });
  if (schema.type === 'array') return validArray(schema, whole);
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min, max });
  if (schema.type === 'number') return fc.double({ min, max, noNaN: true });
  if (schema.format === 'date-time') return time;
  if (schema.type === 'string' && schema.pattern) {
    const isShort = (text: string) => text.length <= (maxLength ?? Number.POSITIVE_INFINITY);
    return fc.stringMatching(new RegExp(schema.pattern)).filter(isShort);
  }
  if (schema.type === 'string' && maxLength) return fc.string({ minLength, maxLength });
  throw new Error(`No values are drawn for ${JSON.stringify(schema)}`);
}

function validObject(
  { properties, required = [] }: Doc,
  { place, whole }: { place: string; whole: boolean },
): fc.Arbitrary<unknown> {
  if (!properties) return metadata;
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    valid(schema, { place: `${place}.${name}`, whole }),
  ]);
  const requiredKeys = whole ? Object.keys(properties) : required;
  return fc.record(Object.fromEntries(fields), { requiredKeys });
}

function validArray(
  { items, minItems = 0, maxItems = 4, uniqueItems }: Doc,
  whole: boolean,
): fc.Arbitrary<unknown> {
  const bounds = { minLength: whole ? Math.max(minItems, 1) : minItems, maxLength: Math.min(maxItems, 4) };
  const entry = valid(items, { whole });
  return uniqueItems ? fc.uniqueArray(entry, bounds) : fc.array(entry, bounds);
}

/** Rules of query parameters, like `statedRules`. */
export const queryRules: typeof statedRules = {
  month: { says: 'the current one or one of the twelve before it', values: time.map(() => thisMonth()) },
  cursor: { says: 'The nextCursor of the page before', values: fc.constant(undefined) },
};
const thisMonth = () => new Date().toISOString().slice(0, 7);

/** Query strings that the parameters of an operation and the rules of their descriptions allow. */
export const validQuery = (parameters: Doc[]): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .record(
      Object.fromEntries(
        parameters.map(({ name, schema }) => [name, queryRules[name]?.values ?? valid(schema)]),
      ),
      { requiredKeys: [] },
    )
    .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)));

/** Values in place of any other, among them empty ones and those outside of each bound. */
const strangers: readonly unknown[] = [
  null,
  true,
  false,
  '',
  'x',
  'all',
  'x'.repeat(3_000),
  'ftp://shop.example',
  'javascript:alert(1)',
  -1,
  0,
  0.5,
  1.01,
  5,
  1e9,
  [],
  {},
  [null],
  ['x', 'x'],
  [[]],
  { x: 1 },
];

/** Each change of a body in one place: a stranger in place of a value, a field removed, and a field that is unknown. */
export function* changesOf(body: unknown): Generator<unknown> {
  yield* strangers;
  if (typeof body !== 'object' || body === null) return;
  const isList = Array.isArray(body);
  if (isList) yield [...body, ...body];
  else yield { ...body, unknownField: 1 };
  for (const [name, value] of Object.entries(body)) {
    const others = Object.fromEntries(Object.entries(body).filter(([other]) => other !== name));
    if (!isList) yield others;
    for (const change of changesOf(value))
      yield isList ? body.with(Number(name), change) : { ...body, [name]: change };
  }
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
    (Array.isArray(value) && repeat ? value : [value]).map((part) => partOf(name, part, files)),
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
  const base64 = /^data:[^,]*;base64,(.*)$/is.exec(text)?.[1];
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
