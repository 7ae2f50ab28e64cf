/**
 * Any request to any operation of the API description is served as the description says: with a status that it
 * lists, a body that obeys that status's schema, and never with a breakage. PROPERTY_RUNS raises the number of
 * requests of each kind; a failure prints the seed that repeats it.
 *
 * Slow: it generates hundreds of requests for each operation.
 */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import type { InferenceClient } from '../src/services/inference/inference-client';
import { description, resolve, validatorOf } from './description';
import { mountedRoutes } from './mounted';
import {
  asForm,
  asJson,
  asText,
  type Body,
  brokenForm,
  changed,
  fieldsOf,
  oddBody,
  oddHeaders,
  oddQuery,
  valid,
} from './requests';
import { StandIn, standInSessionId } from './stand-in';

const numRuns = Number(process.env.PROPERTY_RUNS ?? 100);
// Ends a hang: a hundred runs of a property take seconds, and minutes on a machine under load.
jest.setTimeout(Math.max(600_000, numRuns * 1_000));

// biome-ignore lint/suspicious/noExplicitAny: the description is walked freely in tests
type Doc = any;

const mounted = new Set(
  mountedRoutes().flatMap(({ path, methods }) => Object.keys(methods).map((method) => `${method} ${path}`)),
);
const operations = Object.entries<Doc>(description.paths).flatMap(([path, methods]) =>
  Object.entries<Doc>(methods)
    .filter(([method]) => mounted.has(`${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`))
    .map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, method, operation })),
);
type Operation = (typeof operations)[number];

/** Schemas cannot express these rules: unique names, sizes, and integers of at most 53 bits. */
const unexpressedRules = ['duplicate', 'size', 'number'];

const face = {
  confidence: 0.9,
  boundingBox: { left: 0.1, top: 0.1, width: 0.2, height: 0.3 },
  quality: { brightness: 0.5, sharpness: 0.5 },
  warnings: ['blur', 'small'],
};
const tier: InferenceClient = {
  detect: async () => ({ faces: [] }) as never,
  compare: async () => ({ source: face, targets: [{ ...face, similarity: 0.9 }] }) as never,
  frames: () => Promise.reject(new Error('not expected')),
  moderate: async () => ({ elements: [{ type: 'Violence', confidence: 0.9 }], custom: [] }) as never,
  ready: async () => true,
  close: () => {},
};

let standIn: StandIn;
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  standIn = await StandIn.start({ inference: tier });
});
afterAll(async () => {
  agent.destroy();
  await standIn.stop();
});

interface Reply {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Doc;
}

interface Sent {
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly body?: Body | undefined;
  readonly method?: string;
}

function send(
  { path, ...operation }: Operation,
  { headers = {}, query = '', body, method }: Sent,
): Promise<Reply> {
  return new Promise((done, fail) => {
    const sent = request(
      {
        agent,
        port: standIn.port,
        host: '127.0.0.1',
        method: method ?? operation.method,
        path: path.replace('{sessionId}', standInSessionId).replace('{attemptId}', 'any') + query,
        headers: {
          authorization: 'Bearer right',
          ...(body && { 'content-type': body.type, 'content-length': String(body.bytes.length) }),
          ...headers,
        },
      },
      (response) => {
        const { statusCode: status = 0, headers: received } = response;
        text(response)
          .then((reply) => done({ status, headers: received, body: JSON.parse(reply) }))
          .catch(fail);
      },
    );
    sent.once('error', fail);
    sent.end(body?.bytes);
  });
}

/** The response is one of those that the description lists. */
function expectDocumented({ operation }: Operation, { status, headers, body }: Reply): void {
  expect([status, body.error]).not.toEqual([500, expect.anything()]);
  const response = resolve(operation.responses[status]);
  expect([status, response]).toEqual([status, expect.anything()]);
  const [type] = String(headers['content-type']).split(';') as [string];
  const validate = validatorOf(response.content[type].schema.$ref);
  expect([validate(body), validate.errors]).toEqual([true, null]);
  expect(headers['x-request-id']).toBe(body.requestId);
}

const isRefused = ({ body }: Reply) =>
  body.error?.code === 'INVALID_PARAMETERS' && !unexpressedRules.includes(body.error.reason);

/** A list of names may also be the word `all`. The description leaves this out, because generators cannot express it. */
const asDescribed = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value) =>
    name === 'attributes' && value === 'all' ? ['all'] : value,
  );

/** Runs a property on as many requests as `numRuns` says. */
const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, property), { numRuns });

test('there are operations to ask', () => {
  expect(operations.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['GET /health', 'POST /detect', 'POST /moderate']),
  );
});

describe.each(operations.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  const content = one.operation.requestBody?.content ?? {};
  const reference: string = content['application/json']?.schema.$ref ?? '';
  const schema = resolve(content['application/json']?.schema);

  if (schema) {
    test('JSON that the schema allows is taken', () =>
      check(valid(schema), async (body) => {
        const reply = await send(one, { body: asJson(body) });
        expectDocumented(one, reply);
        expect(isRefused(reply)).toBe(false);
      }));

    test('JSON is refused exactly where the schema refuses it', () =>
      check(changed(schema), async (body) => {
        const reply = await send(one, { body: asJson(body) });
        expectDocumented(one, reply);
        // The gateway rejects bodies that are nested too deeply or too large, whatever the schema allows.
        if (reply.body.error?.reason === 'depth') return;
        if (asJson(body).bytes.length > one.operation['x-max-body-bytes']) {
          expect(reply.status).toBe(413);
        } else if (!validatorOf(reference)(asDescribed(body)))
          expect(reply.body.error?.code).toBe('INVALID_PARAMETERS');
      }));
  }

  if (content['multipart/form-data']) {
    const style = fc.tuple(fc.boolean(), fc.boolean());

    test('forms with what the schema allows are taken', () =>
      check(fc.tuple(valid(schema), style), async ([fields, [repeat, files]]) => {
        const reply = await send(one, { body: asForm(fields, repeat, files) });
        expectDocumented(one, reply);
        expect(isRefused(reply)).toBe(false);
      }));

    test('forms with anything else, and pieces of forms', () => {
      const anything = fc
        .tuple(changed(schema), style)
        .map(([fields, [repeat, files]]) => asForm(fields, repeat, files));
      return check(fc.oneof(anything, brokenForm), async (body) => {
        expectDocumented(one, await send(one, { body }));
      });
    });
  }

  if (content['image/*']) {
    test('bare images with the options that the schema allows are taken', () =>
      check(valid(schema), async (fields) => {
        const { image, ...options } = fields as Record<string, unknown>;
        const query = new URLSearchParams(
          fieldsOf(options).map(([name, value]): [string, string] => [name, asText(value)]),
        );
        const body = { type: 'image/png', bytes: Buffer.from(asText(image)) };
        const reply = await send(one, { body, query: `?${query}` });
        expectDocumented(one, reply);
        expect(isRefused(reply)).toBe(false);
      }));
  }

  test('odd bodies, types, headers and query strings', () => {
    const body: fc.Arbitrary<Body | undefined> = schema
      ? fc.oneof(oddBody, valid(schema).map(asJson), fc.constant(undefined))
      : fc.constant(undefined);
    return check(fc.record({ body, headers: oddHeaders, query: oddQuery }), async (sent) => {
      expectDocumented(one, await send(one, sent));
    });
  });

  test('other methods', () =>
    check(
      fc.tuple(fc.constantFrom('PUT', 'PATCH', 'DELETE', 'OPTIONS'), oddQuery),
      async ([method, query]) => {
        const reply = await send(one, { method, query });
        if (!mounted.has(`${method.toLowerCase()} ${one.path.replace(/\{(\w+)\}/g, ':$1')}`)) {
          expect(reply.status).toBe(405);
          expectDocumented(one, reply);
        }
      },
    ));
});
