/** The same request as JSON, as a form and as a bare image; and what is wrong with any of them. */
import limits from '@presenza/contract/limits.json';
import type { ErrorCode } from '../src/errors';
import type { InferenceClient } from '../src/services/inference/inference-client';
import { expectEnvelope, StandIn } from './stand-in';

type Detected = Parameters<InferenceClient['detect']>;
type Moderated = Parameters<InferenceClient['moderate']>;
const detected: Detected[] = [];
const moderated: Moderated[] = [];

let standIn: StandIn;
beforeAll(async () => {
  standIn = await StandIn.start({
    inference: {
      detect: async (...call) => {
        detected.push(call);
        return { faces: [] } as never;
      },
      moderate: async (...call) => {
        moderated.push(call);
        return { elements: [{ type: 'Explicit', confidence: 0.6 }], custom: [] } as never;
      },
      compare: () => Promise.reject(new Error('not expected')),
      frames: () => Promise.reject(new Error('not expected')),
      ready: async () => true,
      close: () => {},
    },
  });
});
afterAll(() => standIn.stop());
afterEach(() => {
  detected.length = 0;
  moderated.length = 0;
});

/** Begins like a JPEG, which is all that the gateway looks at; every other byte value is in it. */
const imageOf = (size: number) => {
  const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, i) => (i * 31 + 13) % 256));
  bytes.set([0xff, 0xd8, 0xff]);
  return bytes;
};
const photo = imageOf(200_000);
const uri = (bytes: Buffer) => `data:image/jpeg;base64,${bytes.toString('base64')}`;
const file = (bytes: Buffer, type = 'image/jpeg') =>
  new File([Uint8Array.from(bytes)], 'photo.jpg', { type });

type Part = readonly [name: string, value: string | File];
function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts) form.append(name, value as string);
  return form;
}

interface Reply {
  readonly status: number;
  readonly head: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses are checked against the contract's schemas
  readonly body: any;
}
async function send(
  path: string,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const url = `http://127.0.0.1:${standIn.port}${path}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer right', ...headers },
    body,
  });
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return { status: response.status, head, body: await response.json() };
}
const form = (path: string, parts: readonly Part[]) => send(path, formOf(parts));
const json = (path: string, body: unknown) =>
  send(path, JSON.stringify(body), { 'content-type': 'application/json' });
const bare = (path: string, bytes: Buffer, type = 'image/jpeg') =>
  send(path, bytes, { 'content-type': type });

describe('POST /detect takes the same image and options', () => {
  test.each<[string, () => Promise<Reply>]>([
    ['as JSON', () => json('/detect', { image: uri(photo), attributes: ['pose', 'gender'] })],
    [
      'as a form',
      () =>
        form('/detect', [
          ['image', file(photo)],
          ['attributes', 'pose,gender'],
        ]),
    ],
    [
      'as a form with repeated fields',
      () =>
        form('/detect', [
          ['attributes', 'pose'],
          ['image', file(photo)],
          ['attributes', 'gender'],
        ]),
    ],
    [
      'as a form with a data URI',
      () =>
        form('/detect', [
          ['image', uri(photo)],
          ['attributes', 'pose,gender'],
        ]),
    ],
    ['as it is', () => bare('/detect?attributes=pose,gender', photo)],
    [
      'as it is, under /v1, by another name',
      () => bare('/v1/detect?attributes=pose&attributes=gender', photo, 'image/x-any; a=b'),
    ],
  ])('%s', async (_name, request) => {
    expect((await request()).status).toBe(200);
    const [[image, call]] = detected as [Detected];
    expect(image.equals(photo)).toBe(true);
    expect(call.attributes).toEqual(['pose', 'gender']);
  });

  test('categories accept the word all, and no value', async () => {
    await form('/detect', [
      ['image', file(photo)],
      ['attributes', 'all'],
    ]);
    await bare('/detect?attributes=all', photo);
    await bare('/detect', photo, 'application/octet-stream');
    await json('/detect', { image: uri(photo), attributes: ['pose', 'all'] });
    await json('/detect', { image: uri(photo), attributes: [] });
    const asked = detected.map(([, { attributes }]) => attributes);
    expect(asked).toEqual(['all', 'all', undefined, 'all', undefined]);
  });

  test('beside JSON and forms, the query string would be ignored, so it is refused', async () => {
    const query = '/detect?attributes=all';
    expectEnvelope(await form(query, [['image', file(photo)]]), 'INVALID_PARAMETERS', 'query');
    expectEnvelope(await json(query, { image: uri(photo) }), 'INVALID_PARAMETERS', 'query');
  });
});

test.each<[string, () => Promise<Reply>]>([
  [
    'JSON',
    () =>
      json('/moderate', {
        image: uri(photo),
        confidenceThreshold: 0.7,
        categories: ['Explicit', 'Suggestive'],
      }),
  ],
  [
    'a form',
    () =>
      form('/moderate', [
        ['image', file(photo)],
        ['confidenceThreshold', '7e-1'],
        ['categories', 'Explicit,Suggestive'],
      ]),
  ],
  ['a bare image', () => bare('/moderate?confidenceThreshold=0.7&categories=Explicit,Suggestive', photo)],
])('POST /moderate takes its options from %s', async (_name, request) => {
  expect((await request()).body.data).toEqual({ detectedElements: [] });
  const [[image, { builtIn }]] = moderated as [Moderated];
  expect(image.equals(photo)).toBe(true);
  expect(builtIn).toEqual(['Explicit', 'Suggestive']);
});

describe('a mistake is the same in every form', () => {
  const bitmap = Buffer.from('BM, which is none of the formats');
  const large = imageOf(limits.image.maxBytes + 1);
  const mistakes: [string, Part[], ErrorCode, string][] = [
    ['an unknown field', [['color', '1']], 'INVALID_PARAMETERS', 'unknown'],
    ['a prototype', [['__proto__', '1']], 'INVALID_PARAMETERS', 'unknown'],
    ['a number that is none', [['confidenceThreshold', 'high']], 'INVALID_PARAMETERS', 'type'],
    ['no number at all', [['confidenceThreshold', '']], 'INVALID_PARAMETERS', 'type'],
    ['a number in hexadecimal', [['confidenceThreshold', '0x1']], 'INVALID_PARAMETERS', 'type'],
    ['a number out of range', [['confidenceThreshold', '80']], 'INVALID_PARAMETERS', 'value'],
    ['a category that there is not', [['categories', 'Hair']], 'INVALID_PARAMETERS', 'value'],
    ['an empty list', [['categories', '']], 'INVALID_PARAMETERS', 'value'],
    ['a list with a repeated entry', [['categories', 'Explicit,Explicit']], 'INVALID_PARAMETERS', 'value'],
    [
      'a field twice',
      [
        ['confidenceThreshold', '0.1'],
        ['confidenceThreshold', '0.1'],
      ],
      'INVALID_PARAMETERS',
      'repeated',
    ],
  ];

  test.each(mistakes)('%s', async (_name, parts, code, reason) => {
    expectEnvelope(await form('/moderate', [['image', file(photo)], ...parts]), code, reason);
    const query = new URLSearchParams(parts as [string, string][]);
    expectEnvelope(await bare(`/moderate?${query}`, photo), code, reason);
  });

  test.each<[string, Part[], ErrorCode, string]>([
    ['no image', [['attributes', 'all']], 'INVALID_PARAMETERS', 'missing'],
    ['no part at all', [], 'INVALID_PARAMETERS', 'missing'],
    [
      'an image twice',
      [
        ['image', file(photo)],
        ['image', file(photo)],
      ],
      'INVALID_PARAMETERS',
      'repeated',
    ],
    ['an empty file', [['image', file(Buffer.alloc(0))]], 'INVALID_IMAGE', 'empty'],
    ['an empty text', [['image', '']], 'INVALID_IMAGE', 'empty'],
    ['a text that is no data URI', [['image', 'photo.jpg']], 'INVALID_IMAGE', 'dataUri'],
    ['a bitmap that says it is a JPEG', [['image', file(bitmap)]], 'INVALID_IMAGE', 'format'],
    ['an image over 5 MB', [['image', file(large)]], 'IMAGE_TOO_LARGE', 'field'],
    ['an image over 5 MB as a data URI', [['image', uri(large)]], 'IMAGE_TOO_LARGE', 'field'],
    [
      'a file for a list',
      [
        ['image', file(photo)],
        ['attributes', file(photo)],
      ],
      'INVALID_PARAMETERS',
      'value',
    ],
    [
      'a file that is not asked for',
      [
        ['image', file(photo)],
        ['other', file(photo)],
      ],
      'INVALID_PARAMETERS',
      'unknown',
    ],
  ])('%s in a form', async (_name, parts, code, reason) => {
    expectEnvelope(await form('/detect', parts), code, reason);
  });

  test('images as they are: what their bytes are, their size, and the field given again', async () => {
    expectEnvelope(await bare('/detect', bitmap), 'INVALID_IMAGE', 'format');
    expectEnvelope(await bare('/detect', Buffer.alloc(0)), 'INVALID_IMAGE', 'empty');
    expectEnvelope(await bare('/detect', large), 'IMAGE_TOO_LARGE', 'field');
    expectEnvelope(await bare('/detect?image=x', photo), 'INVALID_PARAMETERS', 'repeated');
    expectEnvelope(await bare('/detect?attributes=pose?x=1', photo), 'INVALID_PARAMETERS', 'value');
    expect((await bare('/detect', imageOf(limits.image.maxBytes))).status).toBe(200);
    expect((await form('/detect', [['image', file(imageOf(limits.image.maxBytes))]])).status).toBe(200);
  });
});

describe('a form that is broken', () => {
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
  const part = (head: string, content = '') => `--b\r\n${head}\r\n\r\n${content}\r\n`;
  const named = part('Content-Disposition: form-data; name="attributes"', 'all');

  test.each([
    ['without a boundary', named, { 'content-type': 'multipart/form-data' }],
    ['with another boundary', named, { 'content-type': 'multipart/form-data; boundary=c' }],
    ['without its end', named],
    ['cut in a head', '--b\r\nContent-Disposition: form-data; na'],
    ['that is no form', 'not a form'],
    ['with delimiters alone', '--b\r\n'.repeat(3_000_000)],
    ['with parts without heads', '--b\r\n\r\n\r\n'.repeat(1_500_000)],
    [
      'with a text of no UTF-8',
      `${part('Content-Disposition: form-data; name="attributes"', '\xff')}--b--\r\n`,
    ],
    ['with a head without an end', `--b\r\n${'x: y\r\n'.repeat(2_000)}\r\n--b--\r\n`],
    ['with words behind a delimiter', named.replace('--b', '--b x')],
    ['with a part of no name', `${part('Content-Disposition: form-data', 'all')}--b--\r\n`],
    ['with a file of no name', `${part('Content-Disposition: form-data; filename="a"', 'all')}--b--\r\n`],
  ])('%s', async (_name, body, headers = multipart) => {
    expectEnvelope(await send('/detect', Buffer.from(body, 'latin1'), headers), 'INVALID_PARAMETERS', 'form');
  });

  test('a part full of delimiter prefixes is parsed', async () => {
    const file = part(
      'Content-Disposition: form-data; name="image"; filename="a"',
      '\r\n--a'.repeat(3_000_000),
    );
    expectEnvelope(await send('/detect', `${file}--b--\r\n`, multipart), 'IMAGE_TOO_LARGE', 'field');
  });

  test('not by what stands before and behind it, or by spaces behind a delimiter', async () => {
    const image = Buffer.from(
      part('Content-Disposition: form-data; name="image"; filename="a"', '\xff\xd8\xff'),
      'latin1',
    );
    const body = Buffer.concat([
      Buffer.from('before\r\n'),
      image,
      Buffer.from(named.replace('--b', '--b \t')),
      Buffer.from('--b-- behind'),
    ]);
    expect((await send('/detect', body, multipart)).status).toBe(200);
  });

  test('by the number of its parts', async () => {
    const body = `${named.repeat(65)}--b--\r\n`;
    expectEnvelope(await send('/detect', body, multipart), 'INVALID_PARAMETERS', 'parts');
  });
});

describe('validation of headers', () => {
  test('a bare image over 5 MB is refused unread, and so is any body over the largest', async () => {
    const announce = (type: string, bytes: number) =>
      standIn
        .connect()
        .send('POST /detect HTTP/1.1', {
          Authorization: 'Bearer right',
          'Content-Type': type,
          'Content-Length': bytes,
        })
        .reply();
    expectEnvelope(await announce('image/png', limits.image.maxBytes + 1), 'IMAGE_TOO_LARGE', 'field');
    expectEnvelope(await announce('image/png', 2 ** 24 + 1), 'IMAGE_TOO_LARGE', 'field');
    for (const type of ['application/json', 'multipart/form-data; boundary=b'])
      expectEnvelope(await announce(type, 2 ** 24 + 1), 'IMAGE_TOO_LARGE', 'body');
  });

  test.each([
    ['/detect', 'image/jpeg', limits.image.maxBytes, 'field'],
    ['/detect', 'application/json', 2 ** 24, 'body'],
    ['/moderate', 'multipart/form-data; boundary=b', 2 ** 24, 'body'],
    ['/compare', 'multipart/form-data; boundary=b', 2 ** 25, 'body'],
    ['/liveness', 'application/json', 2 ** 24, 'body'],
  ])('a body in chunks to %s as %s is read up to %i bytes', async (path, type, largest, reason) => {
    const client = standIn.connect();
    client.send(`POST ${path} HTTP/1.1`, {
      Authorization: 'Bearer right',
      'Content-Type': type,
      'Transfer-Encoding': 'chunked',
    });
    const chunk = `${(2 ** 20).toString(16)}\r\n${' '.repeat(2 ** 20)}\r\n`;
    for (let sent = 0; sent <= largest; sent += 2 ** 20) client.socket.write(chunk);
    expectEnvelope(await client.reply(), 'IMAGE_TOO_LARGE', reason);
    client.socket.destroy();
  });

  test.each(['image/jpeg', 'multipart/form-data; boundary=b'])('%s may not be compressed', async (type) => {
    const headers = { 'content-type': type, 'content-encoding': 'gzip' };
    expectEnvelope(await send('/detect', photo, headers), 'UNSUPPORTED_MEDIA_TYPE', 'contentEncoding');
  });

  test('other types are named as not taken', async () => {
    const reply = await send('/detect', 'image=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expectEnvelope(reply, 'UNSUPPORTED_MEDIA_TYPE', 'contentType');
    expect(reply.body.error.message).toContain('multipart/form-data');
  });

  test('nothing of a form or an image is logged', async () => {
    const before = standIn.log.length;
    await form('/detect', [
      ['image', file(photo)],
      ['secret-name', 'secret-value'],
    ]);
    await bare('/detect?secret-name=secret-value', photo);
    const lines = JSON.stringify(standIn.log.slice(before));
    expect(lines).toContain('INVALID_PARAMETERS');
    expect(lines).not.toContain('secret');
  });
});

test('a body that says it is compressed on its way is refused like any other compressed one', async () => {
  const headers = { Authorization: 'Bearer right', 'Content-Type': 'application/json' };
  const sent = standIn
    .connect()
    .send(
      'POST /detect HTTP/1.1',
      { ...headers, 'Transfer-Encoding': 'gzip, chunked' },
      '2\r\n{}\r\n0\r\n\r\n',
    );
  expectEnvelope(await sent.reply(), 'UNSUPPORTED_MEDIA_TYPE', 'contentEncoding');
});
