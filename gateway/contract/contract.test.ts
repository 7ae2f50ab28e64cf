// Tests the consistency of the contract: schemas compile, references resolve, examples validate against their schemas,
// texts and statuses equal the catalog, and the numbers of the specification are pinned as known values.
import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
// biome-ignore lint/suspicious/noExplicitAny: the tests walk arbitrary JSON; each assertion states the shape.
type Doc = any;

const read = (path: string): Doc => JSON.parse(readFileSync(join(__dirname, path), 'utf8'));
const names = (folder: string): string[] =>
  readdirSync(join(__dirname, folder))
    .map((file) => file.replace(/\.json$/, ''))
    .sort();

const brand = read('brand.json');
const versions = read('versions.json');
const openapi = read('openapi.json');
const errors: Record<string, Doc> = read('errors.json');
const plans: Doc[] = read('plans.json');
const events: Doc[] = read('events.json');
const products: Doc[] = read('products.json');
const limits = read('limits.json');
const schemas: Record<string, Doc> = Object.fromEntries(
  names('schemas').map((n) => [n, read(`schemas/${n}.json`)]),
);
const examples: Record<string, Doc> = Object.fromEntries(
  names('examples').map((n) => [n, read(`examples/${n}.json`)]),
);

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const operations: { path: string; method: string; operation: Doc }[] = Object.entries<Doc>(
  openapi.paths,
).flatMap(([path, item]) =>
  Object.keys(item)
    .filter((key) => METHODS.includes(key))
    .map((method) => ({ path, method, operation: item[method] })),
);
const byId: Record<string, Doc> = Object.fromEntries(
  operations.map((o) => [o.operation.operationId, o.operation]),
);

/** Whether the operation accepts only the access token of a liveness session. */
const isSessionCall = ({ security }: Doc) =>
  security.length > 0 && security.every((requirement: Doc) => requirement.sessionToken !== undefined);

/** Operations that need no key have no limits of an account. */
const isPublic = (path: string) => path === '/health' || path.startsWith('/health/');

/** Name of the schema of the JSON body; undefined if the operation takes none. */
const jsonBody = ({ requestBody }: Doc): string | undefined =>
  schemaName(requestBody?.content['application/json']?.schema.$ref);
const schemaName = (ref?: string) => /^schemas\/(.+)\.json$/.exec(ref ?? '')?.[1];

/** Whether the JSON body of an operation may hold images. */
const takesImages = (operation: Doc): boolean =>
  /data-uri-image|"detect"/.test(JSON.stringify(schemas[jsonBody(operation) as string]));

/** Calls `visit` for a value and everything below it. */
function walk(value: Json, visit: (value: Json, path: string) => void, path = '#'): void {
  visit(value, path);
  if (value === null || typeof value !== 'object') return;
  for (const [key, child] of Object.entries(value)) walk(child as Json, visit, `${path}/${key}`);
}

/** Every value stored under `key`, at any depth, with its place. */
function valuesOf(document: Json, key: string): { value: string; path: string }[] {
  const values: { value: string; path: string }[] = [];
  walk(document, (node, path) => {
    if (node !== null && typeof node === 'object' && !Array.isArray(node) && typeof node[key] === 'string')
      values.push({ value: node[key], path });
  });
  return values;
}

/** Resolves `#/a/b` within openapi.json; undefined if it does not exist. */
function pointer(ref: string): Doc {
  const steps = ref
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce((node: Doc, step) => node?.[step], openapi);
}
const deref = (node: Doc): Doc => (node.$ref?.startsWith('#/') ? pointer(node.$ref) : node);

/** A copy in which every object with named properties rejects others, so that examples have documented fields only. */
function closedCopy(node: Doc): Doc {
  if (Array.isArray(node)) return node.map(closedCopy);
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, child]) => [
      key,
      ['if', 'then', 'else'].includes(key) ? child : closedCopy(child),
    ]),
  );
  return copy.type === 'object' && copy.properties ? { additionalProperties: false, ...copy } : copy;
}

function compileAll(transform: (schema: Doc) => Doc): Record<string, ValidateFunction> {
  const ajv = new Ajv2020({ strict: true, allErrors: true, schemas: Object.values(schemas).map(transform) });
  addFormats(ajv);
  return Object.fromEntries(Object.entries(schemas).map(([name, { $id }]) => [name, ajv.getSchema($id)!]));
}
const validators = compileAll((schema) => schema);
const closedValidators = compileAll(closedCopy);

/** `{field}` in a catalogue text stands for any words; everything else is literal. */
const matches = (template: string, text: string): boolean =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`).test(text);

const catalogueText = (error: Doc): string =>
  error.reason === undefined ? errors[error.code]?.message : errors[error.code]?.reasons?.[error.reason];

describe('brand', () => {
  test('the contract uses the product name of brand.json', () => {
    expect(openapi.info.title).toBe(`${brand.name} API`);
    expect(openapi.components.parameters[brand.signatureHeader].name).toBe(brand.signatureHeader);
    expect(openapi.components.headers).toHaveProperty(brand.versionHeader);
    expect(openapi.info.description).toContain(`request header ${brand.versionHeader}`);
    expect(openapi.components.securitySchemes.apiKey.bearerFormat).toContain(`${brand.keyPrefix}_live_`);
    expect(examples['health-response'].data.service).toBe(brand.serviceName);
    for (const [name, schema] of Object.entries(schemas))
      expect(schema.$id).toBe(`https://${brand.slug}.example/schemas/${name}.json`);
  });
});

describe('schemas', () => {
  test.each(Object.keys(schemas))('%s compiles in strict mode', (name) => {
    expect(validators[name]).toBeInstanceOf(Function);
    expect(schemas[name].$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schemas[name].title).toBeTruthy();
  });

  test('every property has a description', () => {
    const bare: string[] = [];
    for (const [name, schema] of Object.entries(schemas)) {
      if (!schema.description) bare.push(name);
      walk(schema, (node, path) => {
        const described = /\/properties\/[^/]+$/.test(path) && !/\/(if|then|else)\//.test(path);
        if (described && !(node as Doc).description) bare.push(name + path);
      });
    }
    expect(bare).toEqual([]);
  });

  test('every object and every enumeration has a file, so that generated types have its name', () => {
    const inline: string[] = [];
    for (const [name, schema] of Object.entries(schemas))
      walk(schema, (node, path) => {
        const { type, enum: values } = (node ?? {}) as Doc;
        const isSchema = path !== '#' && !/\/(if|then|else|properties)$/.test(path);
        if (isSchema && (type === 'object' || Array.isArray(values))) inline.push(name + path);
      });
    expect(inline).toEqual([]);
  });

  test('the schemes of URLs are case-insensitive (RFC 3986, 3.1)', () => {
    let checked = 0;
    for (const [name, schema] of Object.entries(schemas))
      walk(schema, (node, path) => {
        const { format, pattern } = (node ?? {}) as Doc;
        if (format !== 'uri' || pattern === undefined) return;
        const allows = new RegExp(pattern, 'u');
        const samples = ['https://a.example/', 'http://localhost:1/', 'com.example.shop://a', 'myapp://a'];
        const allowed = samples.filter((text) => allows.test(text));
        for (const text of allowed) {
          const [scheme = '', rest = ''] = text.split('://');
          for (const written of [scheme.toUpperCase(), scheme[0]?.toUpperCase() + scheme.slice(1)])
            expect([name + path, `${written}://${rest}`, allows.test(`${written}://${rest}`)]).toContain(
              true,
            );
        }
        expect([name + path, allowed]).toContainEqual(expect.arrayContaining(['https://a.example/']));
        checked++;
      });
    expect(checked).toBeGreaterThan(5);
  });

  test('requests reject unknown fields', () => {
    const bodies = operations.flatMap(({ operation }) => jsonBody(operation) ?? []);
    const requests = [...new Set(bodies)].sort();
    expect(requests).toEqual(Object.keys(schemas).filter((name) => name.endsWith('-request')));
    for (const name of requests) {
      expect(schemas[name].additionalProperties).toBe(false);
      expect(validators[name]!({ ...examples[name], extra: 1 })).toBe(false);
    }
  });

  test.each([
    ['detect-request', ['image'], ['image', 'attributes']],
    [
      'compare-request',
      ['sourceImage', 'targetImage'],
      ['sourceImage', 'targetImage', 'similarityThreshold'],
    ],
    ['moderate-request', ['image'], ['image', 'confidenceThreshold', 'categories']],
    [
      'liveness-request',
      undefined,
      ['imageToCompare', 'locale', 'metadata', 'policy', 'returnUrl', 'testOutcome', 'auditImage'],
    ],
    [
      'liveness-attempt-request',
      ['consent', 'device'],
      ['consent', 'consentNotice', 'consentLocale', 'device', 'publicKey'],
    ],
    ['empty-request', undefined, []],
  ])('%s has the specified fields', (name, required, properties) => {
    expect(schemas[name].required).toEqual(required);
    expect(Object.keys(schemas[name].properties)).toEqual(properties);
  });

  test('any string passes as an image, so that each wrong image has the code INVALID_IMAGE', () => {
    const valid = validators['detect-request']!;
    for (const image of ['data:image/bmp;base64,Qk0=', 'no data URI', ''])
      expect(valid({ image })).toBe(true);
    for (const image of [5, null, {}]) expect(valid({ image })).toBe(false);
  });

  test.each([
    ['compare-request', 'similarityThreshold', 0.8],
    ['moderate-request', 'confidenceThreshold', 0.5],
  ])('%s: %s runs from 0 to 1', (name, field, standard) => {
    expect(schemas[name].properties[field].default).toBe(standard);
    for (const value of [0, 0.5, 1])
      expect(validators[name]!({ ...examples[name], [field]: value })).toBe(true);
    for (const value of [-0.01, 1.01, 80, '0.8', null])
      expect(validators[name]!({ ...examples[name], [field]: value })).toBe(false);
  });

  test.each([
    ['https://app.example.com/done?x=1', true],
    ['http://localhost:3000/done', true],
    ['http://app.example.com/done', false],
    ['http://localhost.evil.example/', false],
    ['myapp://done', true],
    ['com.example.my-shop://done', true],
    ['MYAPP://done', true],
    ['shop://done', false],
    ['my-app://done', false],
    ['example.shop://done', false],
    ['javascript://done', false],
    ['x-apple.preferences.app://done', false],
    ['javascript:alert(1)', false],
    ['/done', false],
    ['https:///done', false],
    ['https://?x', false],
    ['https://:443/', false],
  ])('returnUrl %s: %s', (returnUrl, accepted) => {
    expect(validators['liveness-request']!({ returnUrl })).toBe(accepted);
  });

  test('attributes are a list of distinct names or the word all', () => {
    const image = examples['detect-request'].image;
    const valid = (attributes: Json) => validators['detect-request']!({ image, attributes });
    expect(valid('all')).toBe(true);
    expect(valid(['all'])).toBe(true);
    expect(valid([])).toBe(true);
    expect(valid(['pose', 'landmarks'])).toBe(true);
    for (const wrong of ['pose', ['pose', 'pose'], ['height'], {}]) expect(valid(wrong)).toBe(false);
    const offered = schemas['face-attribute-name'].enum;
    expect([...Object.keys(schemas['face-attributes'].properties), 'all']).toEqual(offered);
  });

  test('a batch result carries data or an error, never both or neither', () => {
    const [good, bad] = examples['batch-response'].data.results;
    const valid = validators['batch-result']!;
    expect(valid(good)).toBe(true);
    expect(valid(bad)).toBe(true);
    expect(valid({ ...good, error: bad.error })).toBe(false);
    expect(valid({ ...bad, data: good.data })).toBe(false);
    expect(valid({ ...bad, error: undefined })).toBe(false);
  });

  test('only session.completed carries a result', () => {
    const valid = validators['webhook-event']!;
    const { result, metadata, ...rest } = examples['webhook-event--session-completed'];
    // Both may have been erased before the event was delivered.
    expect(valid(rest)).toBe(true);
    expect(valid({ ...rest, result, metadata })).toBe(true);
    for (const eventType of ['session.started', 'session.failed', 'session.cancelled', 'session.expired'])
      expect(valid({ ...rest, eventType, result })).toBe(false);
  });
});

describe('examples', () => {
  // detect-response--no-face.json is a variant of detect-response.json and obeys schemas/detect-response.json.
  const schemaOf = (example: string) => example.split('--')[0]!;

  test.each(Object.keys(examples))('%s validates, and has documented fields only', (name) => {
    const validate = validators[schemaOf(name)];
    expect(validate).toBeDefined();
    expect({ ok: validate!(examples[name]), errors: validate!.errors }).toEqual({ ok: true, errors: null });
    const strict = closedValidators[schemaOf(name)]!;
    expect({ ok: strict(examples[name]), errors: strict.errors }).toEqual({ ok: true, errors: null });
  });

  test('every request and response schema has an example named after it', () => {
    const bodies = Object.keys(schemas).filter((n) => /-(request|response|acknowledgement)$/.test(n));
    expect(bodies.length).toBeGreaterThan(12);
    const missing = bodies.filter((n) => n !== 'error-response' && !examples[n]);
    expect(missing).toEqual([]);
  });

  test('each body of the batch validates against the schema of its operation', () => {
    for (const { operation, body } of examples['batch-request'].operations)
      expect(validators[`${operation}-request`]!(body)).toBe(true);
    const { results, succeeded, failed } = examples['batch-response'].data;
    for (const [index, result] of results.entries()) {
      const sent = examples['batch-request'].operations[index];
      expect(result).toMatchObject({ index, id: sent.id, operation: sent.operation });
      if (result.error) expect(errors[result.error.code].status).toBe(result.status);
    }
    expect([succeeded, failed]).toEqual([2, 1]);
  });

  test('every image is what its data URI says, within the limits', () => {
    walk(examples as Json, (value) => {
      if (typeof value !== 'string' || !value.startsWith('data:')) return;
      const [, subtype, base64] = /^data:image\/(\w+);base64,(.+)$/.exec(value)!;
      const bytes = Buffer.from(base64!, 'base64');
      const { signature } = limits.image.formats.find((format: Doc) => format.id === subtype) as Doc;
      expect(bytes.toString('latin1', 0, 12)).toMatch(new RegExp(signature));
      expect(bytes.toString('base64')).toBe(base64);
      expect(bytes.length).toBeLessThan(limits.image.maxBytes);
    });
  });

  test('usage adds up at the rates of its plan', () => {
    const { plan, productGroups, overageCost } = examples['usage-response'].data;
    const { quota, pricing } = plans.find((p) => p.tier === plan);
    let total = 0;
    for (const [group, usage] of Object.entries<Doc>(productGroups)) {
      expect(usage.quota).toBe(quota.productGroups[group]);
      expect(usage.overageUnits).toBe(Math.max(0, usage.used - usage.quota));
      expect(usage.remaining).toBe(Math.max(0, usage.quota - usage.used - usage.reserved));
      expect(usage.overageCost).toBeCloseTo(usage.overageUnits * pricing.overage[group], 10);
      total += usage.overageCost;
    }
    expect(overageCost).toBeCloseTo(total, 10);
    expect(overageCost).toBeGreaterThan(0);
  });
});

describe('test images', () => {
  const { images, maxBytes } = read('test-images.json');
  const files = readdirSync(join(__dirname, 'test-images')).filter((file) => file.endsWith('.png'));
  const bytesOf = (file: string) => readFileSync(join(__dirname, 'test-images', file));

  test('each described image has a file, and each file a description', () => {
    expect(images.length).toBeGreaterThan(30);
    expect(images.map(({ name }: Doc) => `${name}.png`).sort()).toEqual(files.sort());
    for (const { response } of images) expect(response).toMatch(/\.$/);
  });

  test.each(files)('%s is a small PNG that no other image equals', (file) => {
    const bytes = bytesOf(file);
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
    expect(bytes.length).toBeLessThanOrEqual(maxBytes);
    expect(files.filter((other) => bytesOf(other).equals(bytes))).toEqual([file]);
  });
});

describe('errors', () => {
  const specified: Record<string, number> = {
    INVALID_API_KEY: 401,
    INVALID_IMAGE: 400,
    IMAGE_TOO_LARGE: 400,
    NO_FACE_DETECTED: 400,
    RATE_LIMIT_EXCEEDED: 429,
    INVALID_PARAMETERS: 400,
    INTERNAL_ERROR: 500,
  };
  const extensions: Record<string, number> = {
    QUOTA_EXCEEDED: 429,
    PERMISSION_DENIED: 403,
    NOT_FOUND: 404,
    METHOD_NOT_ALLOWED: 405,
    UNSUPPORTED_MEDIA_TYPE: 415,
    PAYLOAD_TOO_LARGE: 413,
    HEADERS_TOO_LARGE: 431,
    REQUEST_TIMEOUT: 408,
    IDEMPOTENCY_CONFLICT: 409,
    SESSION_STATE_CONFLICT: 409,
    SESSION_EXPIRED: 410,
    SERVICE_UNAVAILABLE: 503,
    DEADLINE_EXCEEDED: 504,
  };
  const placeholders = /\{(\w+)\}/g;

  test('errors have the codes and statuses of the specification, and mark ours as extensions', () => {
    const statuses = (flag: boolean) =>
      Object.fromEntries(
        Object.entries(errors)
          .filter(([, e]) => (e.extension ?? false) === flag)
          .map(([code, e]) => [code, e.status]),
      );
    expect(statuses(false)).toEqual(specified);
    expect(statuses(true)).toEqual(extensions);
  });

  test('the format message is that of the specification', () => {
    expect(errors.INVALID_IMAGE.reasons.format).toBe('The provided image format is not supported.');
  });

  test.each(Object.entries(errors))('%s is complete', (code, entry) => {
    expect(code).toMatch(new RegExp(schemas.error.properties.code.pattern));
    for (const field of ['title', 'message', 'advice']) expect(entry[field]).toMatch(/^[A-Z].*$/);
    expect(typeof entry.retryable).toBe('boolean');
    expect(entry.message).not.toMatch(placeholders);
    for (const [reason, text] of Object.entries<string>(entry.reasons ?? {})) {
      expect(reason).toMatch(new RegExp(schemas.error.properties.reason.pattern));
      expect(text).toMatch(/^[A-Z].*\.$/);
    }
  });

  test('texts use known placeholders only', () => {
    const used = new Set<string>();
    walk(errors as Json, (value, path) => {
      if (typeof value === 'string' && !path.endsWith('/comment'))
        for (const [, name] of value.matchAll(placeholders)) used.add(name!);
    });
    expect([...used].sort()).toEqual(
      // biome-ignore format: one list of words
      ['constant', 'date', 'expected', 'feature', 'field', 'frames', 'height', 'limit', 'maximum', 'minimum', 'pattern', 'product', 'scans', 'status', 'values', 'width'],
    );
  });

  test('every constraint of a request schema has a text for the expected value', () => {
    const worded = errors.INVALID_PARAMETERS.expectations;
    // Reported as missing, unknown or through a different keyword, so they need no text.
    const conditions = ['if', 'then', 'else'];
    const named = ['required', 'additionalProperties', 'properties', 'items', 'type', '$ref', 'default'];
    const other = [...named, ...conditions];
    const annotations = ['$schema', '$id', '$comment', 'title', 'description', 'examples'];
    const needed = new Set<string>();
    const visit = (node: Doc): void => {
      for (const [key, value] of Object.entries<Doc>(node)) {
        if (key === 'type') needed.add(value);
        if (![...other, ...annotations].includes(key)) needed.add(key);
        if (key === '$ref') visit(schemas[value.replace(/\.json$/, '')]);
        if (key === 'items') visit(value);
        if (key === 'properties' || key === 'anyOf') for (const child of Object.values(value)) visit(child);
      }
    };
    for (const name of Object.keys(schemas).filter((n) => n.endsWith('-request'))) visit(schemas[name]);
    expect([...needed].filter((key) => !(key in worded))).toEqual([]);
    expect(needed).toContain('minimum');
  });

  const errorExamples = Object.keys(examples).filter((name) => name.startsWith('error-response--'));

  test('every code has an example', () => {
    const codes = new Set(errorExamples.map((name) => examples[name].error.code));
    expect([...codes].sort()).toEqual(Object.keys(errors).sort());
  });

  test.each(errorExamples)('%s has the text of the catalog', (name) => {
    const { error } = examples[name];
    expect(name).toContain(error.code.toLowerCase().replaceAll('_', '-'));
    expect(catalogueText(error)).toBeDefined();
    expect(matches(catalogueText(error), error.message)).toBe(true);
    expect(error.message).not.toMatch(placeholders);
  });

  test('a changed word in a message is noticed', () => {
    const { error } = examples['error-response--invalid-parameters'];
    expect(matches(catalogueText(error), error.message.replace('must', 'should'))).toBe(false);
  });
});

describe('openapi', () => {
  test('every operation outside the specification is marked as an extension', () => {
    const specified = operations.filter(({ operation }) => !operation['x-extension']);
    expect(specified.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual([
      'GET /health',
      'POST /compare',
      'POST /detect',
      'POST /liveness',
      'POST /moderate',
    ]);
    for (const { operation } of operations)
      expect(operation.description.startsWith('Extension.')).toBe(operation['x-extension'] === true);
  });

  test('the addresses', () => {
    expect(openapi.servers.map((s: Doc) => s.url)).toEqual(['/v1', '/']);
  });

  test('every $ref and every external example resolves', () => {
    const dead = [...valuesOf(openapi, '$ref'), ...valuesOf(openapi, 'externalValue')].filter(({ value }) =>
      value.startsWith('#/') ? pointer(value) === undefined : !existsSync(join(__dirname, value)),
    );
    expect(dead).toEqual([]);
  });

  test('every link gives an operation parameters that the response or the request has', () => {
    let seen = 0;
    for (const { path, operation } of operations) {
      const { links = {}, content } = operation.responses['200'];
      for (const { operationId, parameters } of Object.values<Doc>(links)) {
        const target = operations.find((candidate) => candidate.operation.operationId === operationId)!;
        const accepted = [
          ...(openapi.paths[target.path].parameters ?? []),
          ...(target.operation.parameters ?? []),
        ];
        const required = accepted.map(deref).filter((p: Doc) => p.required);
        expect(Object.keys(parameters).sort()).toEqual(required.map((p: Doc) => p.name).sort());
        for (const expression of Object.values<string>(parameters)) {
          const [, source, place] = /^\$(response\.body#\/|request\.path\.)(.+)$/.exec(expression)!;
          const [example] = Object.values<Doc>(content['application/json'].examples);
          const steps = place!.split('/');
          if (source === 'request.path.') expect(path).toContain(`{${place}}`);
          else expect(steps.reduce((node, step) => node[step], read(example.externalValue))).toBeTruthy();
          seen += 1;
        }
      }
    }
    expect(seen).toBeGreaterThan(10);
  });

  test('every component is used', () => {
    const used = new Set(valuesOf(openapi, '$ref').map(({ value }) => value));
    const schemes = new Set(
      operations.flatMap((o) => o.operation.security.flatMap((s: Doc) => Object.keys(s))),
    );
    const isUsed = (kind: string, name: string) =>
      kind === 'securitySchemes' ? schemes.has(name) : used.has(`#/components/${kind}/${name}`);
    const unused = Object.entries<Doc>(openapi.components).flatMap(([kind, entries]) =>
      Object.keys(entries).filter((name) => !isUsed(kind, name)),
    );
    expect(unused).toEqual([]);
  });

  test.each(operations)('$method $path is documented in full', ({ method, path, operation }) => {
    for (const field of ['operationId', 'summary', 'description']) expect(operation[field]).toBeTruthy();
    const tags = openapi.tags.map((t: Doc) => t.name);
    for (const tag of operation.tags) expect(tags).toContain(tag);
    expect(operation.security).toBeDefined();

    const parameters = (operation.parameters ?? []).map(deref).map((p: Doc) => p.name);
    const ofSession = isSessionCall(operation);
    expect(parameters.includes('Idempotency-Key')).toBe(method === 'post' && !ofSession);
    const types = Object.keys(operation.requestBody?.content ?? {});
    const type = path.endsWith('/frames') ? 'image/jpeg' : 'application/json';
    expect(types.includes(type)).toBe(method === 'post');
    if (method === 'post' && !ofSession) {
      const largest = takesImages(operation) ? limits.image.maxBase64Length : 0;
      expect(operation['x-max-body-bytes']).toBeGreaterThan(largest);
    }
    const named = (openapi.paths[path].parameters ?? []).map((p: Doc) => `{${deref(p).name}}`);
    expect(named).toEqual(path.match(/\{\w+\}/g) ?? []);

    const refusals = ofSession ? ['401', '404', '410', '429'] : ['401', '403', '429'];
    const statuses = ['200', '400', '405', '408', '431', '500', '503', ...(isPublic(path) ? [] : refusals)];
    for (const status of statuses) expect(Object.keys(operation.responses)).toContain(status);
  });

  test.each(operations.filter(({ method, operation }) => method === 'post' && !isSessionCall(operation)))(
    '$method $path accepts files if its body has only images and options',
    ({ operation }) => {
      const fields = Object.values<Doc>(schemas[jsonBody(operation)!].properties);
      const isImage = ({ $ref }: Doc) => $ref === 'data-uri-image.json';
      const isOption = ({ $ref, type }: Doc) => $ref === undefined && type !== 'object';
      const images = fields.every((field) => isImage(field) || isOption(field)) ? fields.filter(isImage) : [];
      const form = images.length > 0 ? ['multipart/form-data'] : [];
      const raw = images.length === 1 ? ['image/*', 'application/octet-stream'] : [];
      expect(Object.keys(operation.requestBody.content)).toEqual(['application/json', ...form, ...raw]);
    },
  );

  test('a form has the fields of the JSON body, and a raw image has the others in its query', () => {
    for (const { operation } of operations) {
      const {
        'application/json': json,
        'multipart/form-data': form,
        ...bare
      } = operation.requestBody?.content ?? {};
      if (!form) continue;
      const { required, properties } = schemas[schemaName(json.schema.$ref)!];
      expect(form.schema.required).toEqual(required);
      expect(form.schema.additionalProperties).toBe(false);
      expect(Object.keys(form.schema.properties)).toEqual(Object.keys(properties));
      const options = Object.keys(properties).filter((name) => !properties[name].$ref);
      const images = Object.keys(properties).filter(
        (name) => properties[name].$ref === 'data-uri-image.json',
      );
      expect(Object.keys(form.encoding)).toEqual(images);
      for (const name of options) {
        const { default: standard, minimum, maximum } = properties[name];
        expect(form.schema.properties[name]).toMatchObject(
          JSON.parse(JSON.stringify({ default: standard, minimum, maximum })),
        );
      }
      const query = operation.parameters.filter((p: Doc) => p.in === 'query');
      expect(query.map((p: Doc) => p.name)).toEqual(bare['image/*'] ? options : []);
      for (const part of [form, ...Object.values<Doc>(bare), ...query])
        expect(part['x-extension']).toBe(true);
      expect(
        Object.values<Doc>(form.examples).every(({ value }) => required.every((name: string) => value[name])),
      ).toBe(true);
    }
  });

  test('all lists are paged in one way', () => {
    const lists = operations.filter(({ operation }) => operation.operationId.startsWith('list'));
    expect(lists.length).toBeGreaterThanOrEqual(5);
    const dataOf = ({ responses }: Doc) => {
      const response = schemaName(responses['200'].content['application/json'].schema.$ref) as string;
      return schemas[schemas[response].properties.data.$ref.replace('.json', '')];
    };
    for (const { method, operation } of lists) {
      expect(method).toBe('get');
      const names = operation.parameters.map(deref).map((p: Doc) => p.name);
      expect(names.slice(-2)).toEqual(['limit', 'cursor']);
      const { required, properties } = dataOf(operation);
      expect(Object.keys(properties)).toEqual(['items', 'hasMore', 'nextCursor']);
      expect(required).toEqual(['items', 'hasMore']);
      expect(properties.items.maxItems).toBe(limits.lists.maxItems);
    }
    const paged = operations.filter(({ operation }) => dataOf(operation).properties.hasMore);
    expect(paged).toEqual(lists);
  });

  test('versions are dates, newest first, with their changes', () => {
    const dates = versions.map(({ date }: Doc) => date);
    expect([...new Set(dates)].sort().reverse()).toEqual(dates);
    expect(dates.length).toBeGreaterThan(0);
    for (const { date, changes, deprecatedAt, sunsetAt } of versions) {
      expect(new Date(date).toISOString().slice(0, 10)).toBe(date);
      expect(changes.length).toBeGreaterThan(0);
      if (deprecatedAt || sunsetAt) expect(Date.parse(sunsetAt)).toBeGreaterThan(Date.parse(deprecatedAt));
    }
  });

  test('a deprecated operation has the date of its deprecation, and ends later', () => {
    for (const { operation } of operations) {
      const { deprecated, 'x-deprecated-at': from, 'x-sunset-at': to } = operation;
      if (deprecated) expect(Date.parse(to)).toBeGreaterThan(Date.parse(from));
      else expect([from, to]).toEqual([undefined, undefined]);
    }
  });

  test('every response documents its headers', () => {
    const expected: Record<string, string[]> = {
      401: ['WWW-Authenticate'],
      405: ['Allow'],
      429: ['RateLimit-Policy', 'RateLimit', 'Retry-After'],
      503: ['Retry-After'],
    };
    for (const { path, operation } of operations)
      for (const [status, response] of Object.entries<Doc>(operation.responses)) {
        const headers = Object.keys(deref(response).headers);
        const ofSession = isSessionCall(operation);
        const limited =
          !isPublic(path) && status === '200' && !ofSession
            ? ['RateLimit-Policy', 'RateLimit', brand.versionHeader]
            : [];
        // The limit of calls about a session is not a policy of the account's key.
        const ofStatus = ofSession && status === '429' ? ['Retry-After'] : (expected[status] ?? []);
        expect(headers).toEqual(expect.arrayContaining(['X-Request-Id', ...limited, ...ofStatus]));
        const isList = operation.operationId.startsWith('list');
        expect(headers.includes('Link')).toBe(status === '200' && isList);
        if (status === '200')
          expect(headers.includes('Server-Timing')).toBe(operation.requestBody !== undefined && !ofSession);
      }
  });

  test('the bounds of headers and times are those of limits.json', () => {
    const { maxHeaderBytes, maxHeaders, headersTimeoutSeconds, requestTimeoutSeconds } = limits.http;
    const { HeadersTooLarge, RequestTimeout } = openapi.components.responses;
    expect(HeadersTooLarge.description).toContain(
      `more than ${maxHeaderBytes.toLocaleString('en-US')} bytes or ${maxHeaders} headers`,
    );
    expect(RequestTimeout.description).toContain(
      `${headersTimeoutSeconds} seconds for its headers, ${requestTimeoutSeconds} seconds for the whole`,
    );
    const { error } = examples['error-response--headers-too-large'];
    expect(error.message).toContain(`${maxHeaderBytes} bytes`);
  });

  test('the descriptions of a confidence have the bands of limits.json, and a policy may ask for each', () => {
    const { full, unsigned, suspected } = limits.liveness.confidence;
    expect(schemas['liveness-result']!.properties.confidence.description).toContain(
      `${full} if no sign of a program in the place of page and camera was seen, ${unsigned} if the frames are not signed, ${suspected} if`,
    );
    for (const name of ['liveness-policy', 'session-policy']) {
      const { maximum, description } = schemas[name]!.properties.minConfidence;
      expect(maximum).toBe(full);
      expect(description).toContain(`Above ${suspected} it`);
      expect(description).toContain(`above ${unsigned} also`);
    }
  });

  test('every documented error is in the catalog with that status, and every code is documented', () => {
    const documented = new Set<string>();
    for (const { operation } of operations)
      for (const [status, response] of Object.entries<Doc>(operation.responses)) {
        if (status === '200') continue;
        const { schema, examples: shown } = deref(response).content['application/json'];
        expect(schema.$ref).toBe('schemas/error-response.json');
        for (const [code, { externalValue }] of Object.entries<Doc>(shown)) {
          expect(errors[code]?.status).toBe(Number(status));
          expect(read(externalValue).error.code).toBe(code);
          documented.add(code);
        }
      }
    expect([...documented].sort()).toEqual(Object.keys(errors).sort());
  });

  test('every example belongs to its schema', () => {
    let shown = 0;
    walk(openapi, (node) => {
      const media = (node as Doc)?.['application/json'];
      if (!media) return;
      const schema = schemaName(media.schema.$ref);
      for (const { externalValue, summary } of Object.values<Doc>(media.examples)) {
        expect(externalValue).toMatch(new RegExp(`^examples/${schema}(--[a-z-]+)?\\.json$`));
        expect(summary).toBeTruthy();
        shown += 1;
      }
    });
    expect(shown).toBeGreaterThan(Object.keys(examples).length / 2);
  });

  test('every schema and every example is used', () => {
    const reached = new Set<string>();
    const reach = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const { value } of valuesOf(schemas[name], '$ref')) reach(value.replace(/\.json$/, ''));
    };
    for (const { value } of valuesOf(openapi, '$ref')) {
      const file = schemaName(value);
      if (file) reach(file);
    }
    expect([...reached].sort()).toEqual(Object.keys(schemas));

    const shown = valuesOf(openapi, 'externalValue').map(({ value }) =>
      value.replace(/^examples\/|\.json$/g, ''),
    );
    expect([...new Set(shown)].sort()).toEqual(Object.keys(examples));
  });
});

describe('webhooks', () => {
  test('the catalog, the schema and the API description have the same five events', () => {
    const ids = [
      'session.started',
      'session.expired',
      'session.completed',
      'session.failed',
      'session.cancelled',
    ];
    expect(events.map((e) => e.id)).toEqual(ids);
    expect(schemas['event-type'].enum).toEqual(ids);
    expect(Object.keys(openapi.webhooks)).toEqual(ids);
    for (const { id, label, description, when } of events) {
      expect([label, description, when].every((text) => typeof text === 'string' && text.length > 0)).toBe(
        true,
      );
      expect(examples[`webhook-event--${id.replace('.', '-')}`].eventType).toBe(id);
    }
  });

  test('events have the final statuses and results of the specification', () => {
    const finals = Object.fromEntries(events.map((e) => [e.id.split('.')[1], e.finalStatus]));
    expect(finals).toEqual({
      started: null,
      expired: 'expired',
      completed: 'completed',
      failed: 'failed',
      cancelled: 'cancelled',
    });
    const states = schemas['liveness-status'].enum;
    expect(states).toEqual(['created', 'started', 'checking', 'completed', 'failed', 'cancelled', 'expired']);
    expect(events.filter((e) => e.carriesResult).map((e) => e.id)).toEqual(['session.completed']);
  });

  test('an acknowledgement may have an https redirectUrl only with a redirect', () => {
    const valid = validators['webhook-acknowledgement']!;
    const response = examples['webhook-acknowledgement--redirect'];
    expect(valid(response)).toBe(true);
    expect(valid({ ...response, redirectUrl: 'http://shop.example/' })).toBe(false);
    expect(valid({ ...response, redirectUrl: undefined })).toBe(false);
    expect(valid({ ...response, decision: 'reject' })).toBe(false);
    expect(valid({ ...response, decision: undefined })).toBe(false);
    expect(valid({ ...response, status: 'ok' })).toBe(false);
  });

  test.each(Object.entries<Doc>(openapi.webhooks))('%s has both signatures', (_, { post }) => {
    expect(post.parameters.map(deref).map((p: Doc) => p.name)).toEqual([
      brand.signatureHeader,
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(post.requestBody.content['application/json'].schema.$ref).toBe('schemas/webhook-event.json');
    expect(Object.keys(post.responses)).toEqual(['200', '400', '401', '410', '500']);
  });

  test('the example signatures are valid', () => {
    const parameters = openapi.components.parameters;
    const secret = /secret (whsec_[0-9A-Za-z+/=]+),/.exec(parameters[brand.signatureHeader].description)![1]!;
    const body = JSON.stringify(examples['webhook-event--session-completed']);
    const hex = createHmac('sha256', secret).update(body).digest('hex');
    expect(parameters[brand.signatureHeader].example).toBe(`sha256=${hex}`);

    const signed = [parameters['webhook-id'].example, parameters['webhook-timestamp'].example, body].join(
      '.',
    );
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const base64 = createHmac('sha256', key).update(signed).digest('base64');
    expect(parameters['webhook-signature'].example).toBe(`v1,${base64}`);
  });
});

describe('plans', () => {
  // tier, liveness, analyses, base price, overage of each, branding and synchronous webhooks
  const table: [string, number, number, number, [number, number] | null, boolean][] = [
    ['free', 20, 50, 0, null, false],
    ['basic', 100, 500, 9, [0.3, 0.02], false],
    ['growth', 200, 1000, 24, [0.25, 0.015], true],
    ['business', 2000, 10000, 299, [0.2, 0.01], true],
    ['enterprise', 500000, 500000, 0, [0.18, 0.008], true],
  ];

  test('the tiers are in order', () => {
    expect(plans.map((p) => p.tier)).toEqual(table.map(([tier]) => tier));
    expect(schemas['plan-tier'].enum).toEqual(table.map(([tier]) => tier));
  });

  test.each(table)(
    '%s has the numbers of the specification',
    (tier, liveness, analysis, basePrice, overage, extras) => {
      expect(plans.find((p) => p.tier === tier)).toMatchObject({
        name: tier,
        quota: { period: 'MONTH', productGroups: { livenessDetection: liveness, imageAnalysis: analysis } },
        pricing: {
          currency: 'USD',
          basePrice,
          isCustom: tier === 'enterprise',
          overage: overage && { livenessDetection: overage[0], imageAnalysis: overage[1] },
        },
        isFree: tier === 'free',
        allowBranding: extras,
        allowSyncWebhook: extras,
      });
    },
  );

  test('display data is complete, and only growth is recommended', () => {
    for (const { displayName, description, display } of plans) {
      for (const text of [
        displayName,
        description,
        display.price,
        display.priceDetail,
        display.buttonText,
        display.icon,
      ])
        expect(text).toMatch(/\S/);
      expect(['primary', 'secondary']).toContain(display.buttonStyle);
      expect(display.features.length).toBeGreaterThanOrEqual(5);
    }
    expect(plans.filter((p) => p.display.recommended).map((p) => p.tier)).toEqual(['growth']);
  });

  test('features repeat the quotas, and prices the base price', () => {
    const format = new Intl.NumberFormat('en-US');
    for (const { quota, pricing, display } of plans) {
      expect(display.features[0]).toContain(
        `${format.format(quota.productGroups.livenessDetection)} liveness`,
      );
      expect(display.features[1]).toContain(`${format.format(quota.productGroups.imageAnalysis)} image`);
      expect(display.price).toBe(pricing.isCustom ? 'Custom' : `$${pricing.basePrice}`);
    }
  });

  test('limits rise with the plan, and every plan can pass a full batch', () => {
    const bursts = plans.map((p) => p.limits.burst.limit / p.limits.burst.windowSeconds);
    const concurrency = plans.map((p) => p.limits.concurrency);
    const sessionBytes = plans.map((p) => p.limits.sessionBytes);
    for (const rising of [bursts, concurrency, sessionBytes])
      expect([...rising].sort((a, b) => a - b)).toEqual(rising);
    // A session with the largest image, and a capture with the maximum number and size of frames.
    const { attempt, frame } = limits.liveness;
    const sessionMax = limits.image.maxBytes + attempt.maxFramesKept * frame.maxBytes;
    expect(Math.min(...sessionBytes)).toBeGreaterThan(sessionMax);
    for (const { limits: planLimits } of plans)
      expect(planLimits.burst.limit).toBeGreaterThanOrEqual(limits.batch.maxOperations);
  });
});

describe('products', () => {
  test('there are four products with their product groups', () => {
    expect(Object.fromEntries(products.map((p) => [p.id, p.productGroup]))).toEqual({
      faceDetection: 'imageAnalysis',
      faceComparison: 'imageAnalysis',
      livenessVerification: 'livenessDetection',
      imageModeration: 'imageAnalysis',
    });
    expect(schemas['product-id'].enum).toEqual(products.map((p) => p.id));
    for (const { label, description, unit } of products)
      expect([label, description, unit].every((text) => typeof text === 'string' && text.length > 0)).toBe(
        true,
      );
  });

  test('operations and products refer to each other', () => {
    for (const { id, operationIds } of products)
      for (const operationId of operationIds) expect(byId[operationId]['x-product']).toBe(id);
    const claimed = products.flatMap((p) => p.operationIds).sort();
    const marked = Object.keys(byId).filter((operationId) => byId[operationId]['x-product']);
    expect(claimed).toEqual(marked.sort());
  });
});

describe('limits', () => {
  test('limits have the constants of the specification', () => {
    expect(limits).toMatchObject({
      image: {
        maxBytes: 5 * 1024 * 1024,
        advisedMinWidth: 200,
        advisedMinHeight: 200,
        recommendedMinWidth: 640,
        recommendedMinHeight: 480,
      },
      faces: { maxPerImage: 100 },
      thresholds: { minimum: 0, maximum: 1, similarityDefault: 0.8, moderationConfidenceDefault: 0.5 },
      liveness: {
        dataRetentionSeconds: 24 * 3600,
        typicalDurationSeconds: { from: 10, to: 15 },
        failedAttempts: { limit: 5, windowSeconds: 180, lockoutSeconds: { from: 1800, to: 3600 } },
      },
      webhooks: { syncDeadlineSeconds: 5 },
    });
    expect(limits.image.formats.map((f: Doc) => f.label)).toEqual(['JPEG', 'PNG', 'WebP', 'GIF', 'HEIC']);
  });

  test('schemas, descriptions and examples repeat the limits', () => {
    const { image, faces, thresholds, batch, metadata, idempotency, liveness } = limits;
    const { lists, events, webhooks, keys } = limits;
    expect(image.maxBase64Length).toBe(Math.ceil(image.maxBytes / 3) * 4);
    const { maxFrames, maxPixels } = image.animation;
    const perFormat = image.formats.flatMap((format: Doc) => format.maxPixels ?? []);
    const counts = [
      image.maxBytes,
      image.maxBase64Length,
      image.maxPixels,
      ...perFormat,
      maxFrames,
      maxPixels,
    ];
    for (const count of counts)
      expect(schemas['data-uri-image'].description).toContain(new Intl.NumberFormat('en-US').format(count));
    expect(schemas['data-uri-image'].description).toContain(
      `${image.animation.sampledFrames} frames of a GIF`,
    );
    expect(schemas['detection-result'].properties.faces.maxItems).toBe(faces.maxPerImage);
    expect(schemas['comparison-result'].properties.matchedFaces.maxItems).toBe(faces.maxPerImage);
    expect(schemas['compare-request'].properties.similarityThreshold.default).toBe(
      thresholds.similarityDefault,
    );
    expect(schemas['moderate-request'].properties.confidenceThreshold.default).toBe(
      thresholds.moderationConfidenceDefault,
    );
    expect(schemas['batch-request'].properties.operations.maxItems).toBe(batch.maxOperations);
    const { limit } = openapi.components.parameters;
    expect(limit.schema).toMatchObject({ maximum: lists.maxItems, default: lists.defaultItems });
    expect(byId.listEvents.description).toContain(`last ${events.retentionSeconds / 86_400} days`);
    expect(byId.createWebhook.description).toContain(`${webhooks.maxEndpointsPerAccount} endpoints`);
    expect(byId.createApiKey.description).toContain(`${keys.maxPerAccount} keys`);
    const scope = schemas['key-create-request'].properties;
    expect(scope.name.maxLength).toBe(keys.maxNameLength);
    expect(scope.cidrs.maxItems).toBe(keys.maxAddresses);
    expect(schemas['webhook-create-request'].properties.url.maxLength).toBe(webhooks.maxUrlLength);
    expect(schemas.metadata.maxProperties).toBe(metadata.maxProperties);
    expect(schemas.metadata.description).toContain(new Intl.NumberFormat('en-US').format(metadata.maxBytes));
    expect(openapi.components.parameters['Idempotency-Key'].schema.pattern).toContain(
      `{1,${idempotency.maxKeyLength}}`,
    );

    const session = examples['liveness-session-response'].data;
    const secondsAfterCreation = (time: string) => (Date.parse(time) - Date.parse(session.createdAt)) / 1000;
    expect(secondsAfterCreation(session.sessionExpiresAt)).toBe(liveness.sessionLifetimeSeconds);
    expect(secondsAfterCreation(session.dataExpiresAt)).toBe(liveness.dataRetentionSeconds);
    expect(examples['liveness-start-response'].data).toMatchObject({
      attemptsLeft: liveness.attemptsPerSession,
      retentionSeconds: liveness.dataRetentionSeconds,
    });
    const { data: attempt } = examples['liveness-attempt-response'];
    expect(attempt).toMatchObject({
      steps: 1 + liveness.attempt.turns,
      frameIntervalMs: liveness.attempt.frameIntervalMs,
      maxFrameBytes: liveness.frame.maxBytes,
      timeoutSeconds: liveness.attempt.timeoutSeconds,
    });
    expect(attempt.nonces).toHaveLength(liveness.attempt.maxFramesUnderWay);
    expect(byId.sendLivenessFrame['x-max-body-bytes']).toBe(liveness.frame.maxBytes);
    const { from, to } = liveness.failedAttempts.lockoutSeconds;
    expect(liveness.failedAttempts.defaultLockoutSeconds).toBeGreaterThanOrEqual(from);
    expect(liveness.failedAttempts.defaultLockoutSeconds).toBeLessThanOrEqual(to);
    const { verificationUrl, accessToken } = examples['liveness-response'].data;
    expect(new URL(verificationUrl).hash).toBe(`#${accessToken}`);
  });
});
