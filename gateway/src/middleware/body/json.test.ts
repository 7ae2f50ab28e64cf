/** The reader of JSON bodies against JSON.parse: the same value, or both refuse. It also refuses what JSON.parse changes. */
import fc from 'fast-check';
import type { ApiError } from '../../errors';
import { parseJson } from './json';

const image = (size: number) => Buffer.alloc(size, 0xa5);
const uri = (bytes: Buffer) => `data:image/jpeg;base64,${bytes.toString('base64')}`;

/** Buffers become the data URIs that they came from. */
const plain = (value: object) =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => (inner?.type === 'Buffer' ? uri(Buffer.from(inner.data)) : inner)),
  );
const refused = 'refused';
function read(body: Buffer): unknown {
  try {
    return plain(parseJson(body));
  } catch (error) {
    expect((error as ApiError).status).toBe(400);
    return refused;
  }
}
function expected(body: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused;
    return isChanged(text, value) || hasRefusedName(value) ? refused : plain(value);
  } catch {
    return refused;
  }
}
/** Whether an object has the one refused name that these bodies may have. */
const hasRefusedName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasRefusedName));
/** Whether JSON.parse dropped a member, so that more colons were written than there are members, or made a number infinite. */
function isChanged(text: string, value: unknown): boolean {
  let members = 0;
  let isInfinite = false;
  JSON.stringify(value, (_, inner) => {
    if (inner && typeof inner === 'object' && !Array.isArray(inner)) members += Object.keys(inner).length;
    isInfinite ||= typeof inner === 'number' && !Number.isFinite(inner);
    return inner;
  });
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gs, '');
  return members !== bare.split(':').length - 1 || isInfinite;
}
const expectSame = (body: Buffer) => expect(read(body)).toEqual(expected(body));

/** Texts around the lengths at which the reader changes its way, plain, escaped, and broken. */
const inside = fc.oneof(
  fc.constantFrom(
    'a',
    'é',
    '\\n',
    '\\/',
    '\\"',
    '\\\\',
    '\\u0041',
    '\\ud83d\\ude00',
    '🙂',
    '\\u12',
    '\\x',
    '\n',
    '\u0001',
    '"',
    '\\',
  ),
  fc.constant(uri(image(3))),
);
const literal = fc
  .tuple(
    fc.constantFrom(
      '',
      'data:image/jpeg;base64,',
      'data:image/jpeg;base64,/9j/',
      'data:image\\/jpeg;base64,',
      'data:im\\age;base64,',
      'data:im\tage;base64,',
    ),
    fc.array(inside, { maxLength: 4 }),
    fc.constantFrom(0, 3, 1020, 1024, 4096, 8192, 20_000),
    fc.array(inside, { maxLength: 4 }),
  )
  .map(
    ([prefix, before, size, after]) => `"${prefix}${before.join('')}${'A'.repeat(size)}${after.join('')}"`,
  );
const name = fc.oneof(
  fc.constantFrom('"image"', '"im\\u0061ge"', '"a"', '"__proto__"', '""', '"0"'),
  literal,
);
const space = fc.constantFrom('', ' ', '\n\t', '\r');
const value = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    literal,
    fc.constantFrom('1', '-0', '1e999', 'true', 'null', '01', '', '{"a":1,"a":2}', '{"a":1,"b":{"a":2}}'),
    fc
      .tuple(space, fc.array(tie('value'), { maxLength: 3 }))
      .map(([gap, all]) => `[${gap}${all.join(`,${gap}`)}]`),
    fc
      .tuple(space, fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }))
      .map(
        ([gap, all]) =>
          `{${all.map(([key, value]) => `${gap}${key}${gap}:${gap}${value}`).join(`${gap},`)}${gap}}`,
      ),
  ),
})).value;

test('any object, well-formed or not', () => {
  const object = fc.array(fc.tuple(name, value), { maxLength: 4 });
  fc.assert(
    fc.property(object, (fields) =>
      expectSame(Buffer.from(`{${fields.map(([n, v]) => `${n}:${v}`).join()}}`)),
    ),
    { numRuns: 1_000 },
  );
});

test('any value at the top, cut anywhere, with any byte changed', () => {
  fc.assert(
    fc.property(value, fc.nat(), fc.nat(), fc.nat({ max: 255 }), (text, cut, place, byte) => {
      const body = Buffer.from(text);
      expectSame(body);
      expectSame(body.subarray(0, cut % (body.length + 1)));
      if (body.length > 0) body[place % body.length] = byte;
      expectSame(body);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  [
    'bytes of no UTF-8 in a long string',
    Buffer.concat([Buffer.from(`{"a":"${'x'.repeat(2_000)}`), Buffer.from([0xff]), Buffer.from('"}')]),
  ],
  ['bytes of no UTF-8 in the rest', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['a byte order mark', Buffer.from(`\ufeff{"image":"${uri(image(9_000))}"}`)],
  ['a long string for a name', Buffer.from(`{"${'x'.repeat(2_000)}" : 1}`)],
  ['a long string without an end', Buffer.from(`{"image":"${uri(image(9_000))}`)],
  ['a long string next to another', Buffer.from(`{"a":"${'x'.repeat(2_000)}""${'x'.repeat(2_000)}"}`)],
  ['a line break inside an image', Buffer.from(`{"image":"${uri(image(9_000))}\n${'A'.repeat(400)}"}`)],
  ['an escaped line break inside an image', Buffer.from(`{"image":"${uri(image(9_000))}\\n"}`)],
  ['a tab in a media type', Buffer.from(`{"image":"data:im\tage;base64,${'A'.repeat(9_000)}"}`)],
  ['a wrong escape in a media type', Buffer.from(`{"image":"data:im\\age;base64,${'A'.repeat(9_000)}"}`)],
  [
    'bytes of no UTF-8 in a media type',
    Buffer.from(`{"image":"data:\xff;base64,${'A'.repeat(9_000)}"}`, 'latin1'),
  ],
  ['an image twice', Buffer.from(`{"image":"${uri(image(9_000))}","image":"${uri(image(9_001))}"}`)],
])('%s', (_name, body) => expectSame(body as Buffer));

test('an image field holds bytes, another field the same text', () => {
  const long = image(9_000);
  const body = { image: uri(long), other: uri(long), operations: [{ body: { sourceImage: uri(long) } }] };
  expect(parseJson(Buffer.from(JSON.stringify(body)))).toEqual({
    image: long,
    other: uri(long),
    operations: [{ body: { sourceImage: long } }],
  });
});

test('slashes may be escaped, as PHP does', () => {
  const bytes = Buffer.alloc(9_000, 0xff);
  const body = JSON.stringify({ image: uri(bytes) });
  expect(parseJson(Buffer.from(body.replaceAll('/', '\\/')))).toEqual({ image: uri(bytes) });
});

test.each([
  ['spaces', `{${' '.repeat(2 ** 20)}}`, 'PAYLOAD_TOO_LARGE'],
  ['names', `{"${'x'.repeat(2 ** 20)}":1}`, 'PAYLOAD_TOO_LARGE'],
  ['short strings', `{"a":[${'"",'.repeat(400_000)}""]}`, 'PAYLOAD_TOO_LARGE'],
  ['long strings', `{"a":[${`"${'x'.repeat(1_025)}",`.repeat(30_000)}""]}`, 'PAYLOAD_TOO_LARGE'],
  ['quotes in a string', `{"a":"${'\\"'.repeat(1_100_000)}"}`, 'PAYLOAD_TOO_LARGE'],
  ['levels', `{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'depth'],
  ['levels, a quarter of a million', `{"a":${'['.repeat(250_000)}${']'.repeat(250_000)}}`, 'depth'],
])('too many %s', (_name, body, refusal) => {
  const bytes = Buffer.from(body);
  let thrown: ApiError | undefined;
  try {
    parseJson(bytes);
  } catch (error) {
    thrown = error as ApiError;
  }
  expect(thrown?.body.reason ?? thrown?.code).toBe(refusal);
});

test('as deep as may be', () => {
  expectSame(Buffer.from(`{"a":${'['.repeat(63)}${']'.repeat(63)}}`));
});
