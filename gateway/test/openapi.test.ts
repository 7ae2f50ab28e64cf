/** The served API description: self-contained, and cached by its content. */
import { description, obeys, targetOf, validatorOf } from './description';
import { expectEnvelope, StandIn } from './stand-in';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await StandIn.start();
});
afterAll(() => standIn.stop());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`http://127.0.0.1:${standIn.port}${path}`, { method, headers });

function* nodesOf(node: unknown): Generator<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return;
  yield node as Record<string, unknown>;
  for (const child of Object.values(node)) yield* nodesOf(child);
}

test('every reference leads somewhere inside', () => {
  const references = [...nodesOf(description)].flatMap(({ $ref }) =>
    typeof $ref === 'string' ? [$ref] : [],
  );
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((reference) => targetOf(reference) === undefined)).toEqual([]);
});

test('nothing in it is left to fetch, and nothing of it is a note of ours', () => {
  const keys = new Set([...nodesOf(description)].flatMap(Object.keys));
  for (const key of ['externalValue', '$id', '$comment', 'x-comment']) expect(keys).not.toContain(key);
  expect(JSON.stringify(description)).not.toMatch(/"(schemas|examples)\//);
});

test('every schema compiles, and every example obeys the one beside it', () => {
  const names = Object.keys(description.components.schemas);
  expect(names).toEqual(expect.arrayContaining(['DetectRequest', 'DataUriImage', 'ErrorResponse']));
  for (const name of names) {
    expect(validatorOf(`#/components/schemas/${name}`)).toBeInstanceOf(Function);
  }
  let seen = 0;
  for (const { schema, examples } of nodesOf(description)) {
    const { $ref } = (schema ?? {}) as { $ref?: string };
    if ($ref === undefined || examples === undefined) continue;
    const validate = validatorOf($ref);
    for (const { value } of Object.values(examples as object) as { value: unknown }[]) {
      expect([value, validate(value)]).toEqual([value, true]);
      seen++;
    }
  }
  expect(seen).toBeGreaterThan(40);
});

test('every example of a parameter or header obeys the schema beside it', () => {
  const shown = [...nodesOf(description)].filter(({ example }) => example !== undefined);
  expect(shown.length).toBeGreaterThan(25);
  for (const { schema, example } of shown) expect([example, obeys(schema, example)]).toEqual([example, true]);
});

test('every example inside a schema obeys it', () => {
  const placesOf = (node: unknown, place: string): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const inner = Object.entries(node).flatMap(([key, child]) => placesOf(child, `${place}/${key}`));
    return Array.isArray((node as { examples?: unknown }).examples) ? [place, ...inner] : inner;
  };
  const places = placesOf(description.components.schemas, '#/components/schemas');
  expect(places.length).toBeGreaterThan(5);
  for (const place of places)
    for (const example of targetOf(place).examples)
      expect([place, example, validatorOf(place)(example)]).toEqual([place, example, true]);
});

test('it has only parts of JSON Schema that code generators turn into types', () => {
  const schemas = Object.entries<object>(description.components.schemas);
  const nodes = schemas.flatMap(([name, schema]) => [...nodesOf(schema)].map((node) => ({ name, node })));
  const namesOf = (holds: (node: Record<string, unknown>) => boolean) =>
    nodes.filter(({ node }) => holds(node)).map(({ name }) => name);
  expect(namesOf((node) => 'if' in node || 'then' in node || 'else' in node)).toEqual([]);
  expect(namesOf((node) => 'const' in node && !('type' in node))).toEqual([]);
  expect(namesOf((node) => Object.values(node.properties ?? {}).includes(false))).toEqual([]);
  // Programs read the lines of a stream one by one, without generated code.
  expect(namesOf((node) => 'anyOf' in node || 'oneOf' in node)).toEqual(['BatchLine']);
});

test('no two generated types or constants share a name', () => {
  const schemas = Object.entries<Record<string, string[] | undefined>>(description.components.schemas);
  const constants = schemas.flatMap(([, { enum: values = [], 'x-enum-varnames': names = values }]) =>
    names.map((name) => name.toUpperCase().replace(/\W/g, '_')),
  );
  expect(constants.filter((name, i) => constants.indexOf(name) !== i)).toEqual([]);
  // Go has a function New<Type> for each type.
  const types = new Set(schemas.map(([name]) => name));
  expect([...types].filter((name) => types.has(name.replace(/^New/, '')) && name.startsWith('New'))).toEqual(
    [],
  );
});

test('a form has the type of the JSON body, and webhooks become no methods of a client', () => {
  const contents = [...nodesOf(description.paths)].filter((node) => 'multipart/form-data' in node);
  expect(contents).toHaveLength(3);
  for (const { 'application/json': json, 'multipart/form-data': form } of contents)
    expect((form as { schema: object }).schema).toEqual((json as { schema: object }).schema);
  const webhooks = Object.values<object>(description.webhooks);
  expect(webhooks.map(Object.keys)).toEqual(webhooks.map(() => ['$ref']));
});

test.each(['/openapi.json', '/v1/openapi.json'])(
  '%s is open to all, with an ETag for its content',
  async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(description);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const etag = response.headers.get('etag') as string;
    expect(etag).toMatch(/^"[\w-]{43}"$/);

    // Not with fetch, which asks for no cached responses as soon as a header says which one is known.
    const known = standIn.connect().send(`GET ${path} HTTP/1.1`, { 'If-None-Match': etag });
    expect(await known.reply()).toMatchObject({ status: 304, body: '' });
    expect((await get(path, { 'if-none-match': '"another"' })).status).toBe(200);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag]);
  },
);

test('all responses are one piece of memory', async () => {
  const pieces = new Set<unknown>();
  standIn.server.prependListener('request', (_req, res) => {
    const { end } = res;
    res.end = (...args: unknown[]) => {
      pieces.add(args[0]);
      return Reflect.apply(end, res, args);
    };
  });
  for (const path of ['/openapi.json', '/openapi.json', '/v1/openapi.json']) await (await get(path)).text();
  expect([...pieces]).toEqual([expect.any(Buffer)]);
});

test('it cannot be changed', async () => {
  const reply = await standIn.connect().send('POST /openapi.json HTTP/1.1').reply();
  expectEnvelope(reply, 'METHOD_NOT_ALLOWED');
  expect(reply.head).toMatch(/^allow: GET, HEAD, OPTIONS$/im);
});
