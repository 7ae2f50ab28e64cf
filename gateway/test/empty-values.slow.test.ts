/**
 * Empty values in every field of every operation: a client that left something out learns which field it is, and what
 * belongs there.
 *
 * Slow: every field of every operation gets each empty value.
 */
import fc from 'fast-check';
import { description, resolve } from './description';
import { asJson, valid } from './requests';
import { StandIn, standInSessionId, tierWithResults } from './stand-in';

// biome-ignore lint/suspicious/noExplicitAny: the description is walked freely in tests
type Doc = any;
type Path = readonly string[];

let standIn: StandIn;
beforeAll(async () => {
  standIn = await StandIn.start({ inference: tierWithResults });
});
afterAll(() => standIn.stop());

const operations = Object.entries<Doc>(description.paths).flatMap(([path, item]) =>
  ['get', 'post'].flatMap((method) =>
    item[method] ? [{ path, method, operation: item[method], item }] : [],
  ),
);

async function send(method: string, path: string, body?: unknown) {
  const { port } = standIn;
  const target = path.replace('{sessionId}', standInSessionId).replace('{attemptId}', 'any');
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    method,
    headers: {
      authorization: 'Bearer right',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: asJson(body).bytes }),
  });
  return { status: response.status, body: (await response.json()) as Doc };
}

/** Texts that name the wrong field and not what belongs there. */
const vague = /documented form|undefined|\bbe \.|\{\w+\}/;

/** The operations of a batch have errors of their own. */
function expectHelp(place: unknown, { status, body }: Awaited<ReturnType<typeof send>>, field: string): void {
  expect([place, status]).toEqual([place, body.error ? 400 : 200]);
  const outcomes: Doc[] = body.data?.results ?? [body];
  for (const { error } of outcomes) {
    if (!error) continue;
    expect([place, error.code]).toEqual([place, expect.stringMatching(/^INVALID_(PARAMETERS|IMAGE)$/)]);
    expect([place, error.message]).toEqual([place, expect.not.stringMatching(vague)]);
    if (body.error) expect([place, error.message]).toEqual([place, expect.stringContaining(field)]);
  }
}

/** The paths of all values in a body, except inside the data of clients. */
function pathsOf(body: unknown, path: Path = []): Path[] {
  if (typeof body !== 'object' || body === null || path.at(-1) === 'metadata') return [];
  return Object.entries(body).flatMap(([name, value]) => [
    [...path, name],
    ...pathsOf(value, [...path, name]),
  ]);
}

function replaced(body: Doc, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value;
  const inner = replaced(body[name], rest, value);
  return Array.isArray(body) ? body.with(Number(name), inner) : { ...body, [name]: inner };
}

const withBodies = operations.flatMap(({ path, method, operation }) => {
  const schema = operation.requestBody?.content['application/json']?.schema;
  return schema ? [[`${method.toUpperCase()} ${path}`, path, schema] as const] : [];
});

test.each(withBodies)('%s', async (_name, path, schema) => {
  const [sample] = fc.sample(valid(schema, { whole: true }), { numRuns: 1, seed: 1 });
  const body = JSON.parse(JSON.stringify(sample));
  const paths = pathsOf(body);
  for (const place of paths)
    for (const empty of ['', [], {}, null]) {
      const reply = await send('post', path, replaced(body, place, empty));
      const field = place.filter((step) => !/^\d+$/.test(step)).at(-1) as string;
      expectHelp([place.join('.'), empty], reply, field);
    }
});

const withQueries = operations.flatMap(({ path, method, operation, item }) =>
  [...(item.parameters ?? []), ...(operation.parameters ?? [])]
    .map(resolve)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => [`${method.toUpperCase()} ${path}?${name}=`, method, path, name] as const),
);

test.each(withQueries)('%s', async (place, method, path, name) => {
  const body = method === 'post' ? { type: 'image/jpeg', bytes: Buffer.from([0xff, 0xd8, 0xff]) } : undefined;
  const response = await fetch(
    `http://127.0.0.1:${standIn.port}${path.replace('{webhookId}', `wh_${'0'.repeat(20)}`)}?${name}=`,
    {
      method,
      headers: { authorization: 'Bearer right', ...(body && { 'content-type': body.type }) },
      ...(body && { body: body.bytes }),
    },
  );
  expectHelp(place, { status: response.status, body: await response.json() }, name);
});

test('there are operations with bodies and with queries', () => {
  expect(withBodies.length).toBeGreaterThan(8);
  expect(withQueries.length).toBeGreaterThan(10);
});
