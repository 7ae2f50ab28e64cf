/**
 * Any request to any operation of the API description is served as the description says: with a status that it
 * lists, a body that obeys that status's schema, and never with a breakage. The service accepts each body that the
 * description allows, and refuses each that its schema does not allow. PROPERTY_RUNS raises the number of requests of
 * each kind; a failure prints the seed that repeats it.
 *
 * Slow: it generates hundreds of requests for each operation.
 */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { description, obeys, resolve, validatorOf } from './description';
import { mountedRoutes } from './mounted';
import {
  asForm,
  asJson,
  asText,
  type Body,
  brokenForm,
  bytesOf,
  changed,
  changesOf,
  descriptionOf,
  fieldsOf,
  oddBody,
  oddHeaders,
  oddQuery,
  ownCategories,
  ownScheme,
  queryRules,
  statedRules,
  valid,
  validQuery,
} from './requests';
import { principal, StandIn, standInSessionId, tierWithResults } from './stand-in';
import { TestGateway } from './test-gateway';

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
    .map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
      query: [...(methods.parameters ?? []), ...(operation.parameters ?? [])]
        .map(resolve)
        .filter((parameter) => parameter.in === 'query'),
    })),
);
type Operation = (typeof operations)[number];

/** Keys and webhook endpoints are real, because their services check more than the schemas of their requests. */
let gateway: TestGateway;
let standIn: StandIn;
let maker: { readonly accountId: string; readonly keyId: string };
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  gateway = await TestGateway.start();
  const { management, keys } = gateway.services;
  const { id: accountId } = await gateway.account();
  maker = { accountId, keyId: (await keys.createKey(accountId, principal.mode)).keyId };
  const caller = { ...principal, ...maker, returnSchemes: [ownScheme] };
  standIn = await StandIn.start({
    inference: tierWithResults,
    keys: { authenticate: async (key) => (['', 'wrong'].includes(key) ? undefined : caller) },
    categories: {
      listCategories: async () =>
        ownCategories.map((name) => ({ name, prototype: '', examples: 5, createdAt: 0 })),
    },
    management,
  });
});
afterAll(async () => {
  agent.destroy();
  await standIn.stop();
  await gateway.stop();
});

/** Makes room for another key and endpoint. */
async function clear(): Promise<void> {
  const { keys, webhooks } = gateway.services.management;
  const { accountId, keyId } = maker;
  for (const { id } of await webhooks.list(accountId)) await webhooks.remove(accountId, id);
  for (const { id, revokedAt } of await keys.listKeys(accountId))
    if (id !== keyId && revokedAt === undefined) await keys.revokeKey(accountId, id);
}

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

const expectAccepted = ({ status, body }: Reply) => expect([status, body.error]).toEqual([200, undefined]);

/** Bodies that the description of a JSON or form body allows. */
const allowedOf = (content: Doc) => valid(content['application/json'].schema);

/** A body as the service gets it: JSON has no undefined. */
const sent = (body: unknown): unknown => JSON.parse(JSON.stringify(body));

/** Words of errors that leave a client at a loss. */
const vague = /documented form|undefined|\bbe \.|\{\w+\}/;

/** Runs a property on as many requests as `numRuns` says. */
const check = <T>(arbitrary: fc.Arbitrary<T>, property: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, property), { numRuns });

test('there are operations to ask', () => {
  expect(operations.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['GET /health', 'POST /detect', 'POST /moderate']),
  );
});

test.each(Object.entries(statedRules))('the description of %s states its rule', (place, { says }) => {
  expect(descriptionOf(place)).toContain(says);
});

test.each(Object.entries(queryRules))(
  'the description of the parameter %s states its rule',
  (name, { says }) => {
    const parameters = operations
      .flatMap(({ query }) => query)
      .filter((parameter) => parameter.name === name);
    expect(parameters.length).toBeGreaterThan(0);
    for (const { description: text } of parameters) expect(text).toContain(says);
  },
);

describe.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s',
  (_name, operation) => {
    const content = operation.operation.requestBody?.content ?? {};
    const reference: string = content['application/json']?.schema.$ref ?? '';
    const hasJson = reference !== '';

    if (hasJson) {
      const isManaged = ['/keys', '/webhooks'].includes(operation.path);
      const body = allowedOf(content);

      test('JSON that the description allows is taken', () =>
        check(body, async (allowed) => {
          if (isManaged) await clear();
          expect([allowed, validatorOf(reference)(sent(allowed))]).toEqual([allowed, true]);
          const reply = await send(operation, { body: asJson(allowed) });
          expectDocumented(operation, reply);
          expectAccepted(reply);
        }));

      test('JSON with one change that the schema does not allow is refused, and the error says where', async () => {
        const whole = valid(content['application/json'].schema, { whole: true });
        let refused = 0;
        for (const change of changesOf(fc.sample(whole, { numRuns: 1, seed: 1 })[0])) {
          if (validatorOf(reference)(sent(change))) continue;
          const { status, body: reply } = await send(operation, { body: asJson(change) });
          expect([change, status, reply.error?.code]).toEqual([change, 400, 'INVALID_PARAMETERS']);
          expect([change, reply.error.message]).toEqual([change, expect.not.stringMatching(vague)]);
          refused++;
        }
        expect(refused).toBeGreaterThan(10);
      });

      test('JSON is refused exactly where the schema refuses it', () =>
        check(changed(content['application/json'].schema), async (body) => {
          const reply = await send(operation, { body: asJson(body) });
          expectDocumented(operation, reply);
          // The gateway rejects bodies that are nested too deeply or too large, whatever the schema allows.
          if (reply.body.error?.reason === 'depth') return;
          if (asJson(body).bytes.length > operation.operation['x-max-body-bytes']) {
            expect(['PAYLOAD_TOO_LARGE', 'IMAGE_TOO_LARGE']).toContain(reply.body.error?.code);
          } else if (!validatorOf(reference)(body)) expect(reply.body.error?.code).toBe('INVALID_PARAMETERS');
        }));
    }

    if (content['multipart/form-data']) {
      const style = fc.tuple(fc.boolean(), fc.boolean());

      test('forms with what the schema allows are taken', () =>
        check(fc.tuple(allowedOf(content), style), async ([fields, [repeat, files]]) => {
          const reply = await send(operation, { body: asForm(fields, repeat, files) });
          expectDocumented(operation, reply);
          expectAccepted(reply);
        }));

      test('forms with anything else, and pieces of forms', () => {
        const anything = fc
          .tuple(changed(content['application/json'].schema), style)
          .map(([fields, [repeat, files]]) => asForm(fields, repeat, files));
        return check(fc.oneof(anything, brokenForm), async (body) => {
          expectDocumented(operation, await send(operation, { body }));
        });
      });
    }

    if (content['image/*']) {
      test('bare images with the options that the schema allows are taken', () =>
        check(allowedOf(content), async (fields) => {
          const { image, ...options } = fields as Record<string, unknown>;
          const query = new URLSearchParams(
            fieldsOf(options).map(([name, value]): [string, string] => [name, asText(value)]),
          );
          const body = { type: 'image/png', bytes: bytesOf(image as string) };
          const reply = await send(operation, { body, query: `?${query}` });
          expectDocumented(operation, reply);
          expectAccepted(reply);
        }));
    }

    if (operation.method === 'get' && operation.query.length > 0) {
      const get = (fields: Record<string, unknown>) =>
        send(operation, {
          query: `?${new URLSearchParams(Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]))}`,
        });

      test('queries that the description allows are taken', () =>
        check(validQuery(operation.query), async (fields) => {
          const reply = await get(fields);
          expectDocumented(operation, reply);
          expect([fields, reply.body.error?.code]).not.toContain('INVALID_PARAMETERS');
        }));

      test('a parameter that its schema does not allow is refused', async () => {
        for (const { name, schema } of operation.query)
          for (const text of ['', 'x'.repeat(3_000), '-1', '0.5', '1e3', '2026-13-01', 'a b']) {
            const value = schema.type === 'integer' ? Number(text || 'none') : text;
            if (obeys(schema, value)) continue;
            const { status, body: reply } = await get({ [name]: text });
            expect([name, text, status, reply.error?.code]).toEqual([name, text, 400, 'INVALID_PARAMETERS']);
            expect(reply.error.message).toEqual(expect.not.stringMatching(vague));
          }
      });
    }

    test('odd bodies, types, headers and query strings', () => {
      const body: fc.Arbitrary<Body | undefined> = hasJson
        ? fc.oneof(oddBody, allowedOf(content).map(asJson), fc.constant(undefined))
        : fc.constant(undefined);
      return check(fc.record({ body, headers: oddHeaders, query: oddQuery }), async (sent) => {
        expectDocumented(operation, await send(operation, sent));
      });
    });

    test('other methods', () =>
      check(fc.tuple(fc.constantFrom('PUT', 'PATCH', 'DELETE'), oddQuery), async ([method, query]) => {
        const reply = await send(operation, { method, query });
        if (!mounted.has(`${method.toLowerCase()} ${operation.path.replace(/\{(\w+)\}/g, ':$1')}`)) {
          expect(reply.status).toBe(405);
          expectDocumented(operation, reply);
        }
      }));
  },
);
