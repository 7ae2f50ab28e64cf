/**
 * The description of the console's API. That responses obey it, `browser.ts` checks in all tests of the console.
 *
 * Slow: it compiles every schema of the description.
 */
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { playgroundRoutes } from '../../src/console/playground';
import { consoleCalls } from '../../src/console/router';
import { ConsoleGateway } from './console-gateway';

let console: ConsoleGateway;
// biome-ignore lint/suspicious/noExplicitAny: the document is walked freely
let description: any;
beforeAll(async () => {
  console = await ConsoleGateway.start();
  description = (await console.gateway.api({ method: 'GET', path: '/console/api/openapi.json' })).body;
});
afterAll(() => console.stop());

test('describes every call once, with its parameters and its response', () => {
  const operations = Object.entries<object>(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const count = consoleCalls.length + Object.keys(playgroundRoutes).length;
  expect(operations).toHaveLength(count);
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(count);
  for (const { path, operation } of operations) {
    const inPath = operation.parameters.filter((parameter: { in: string }) => parameter.in === 'path');
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(inPath.map(({ name }: { name: string }) => name)).toEqual(names);
  }
});

interface Body {
  readonly content: { readonly 'application/json': { readonly schema: { readonly anyOf?: object[] } } };
}
const schemaOf = ({ content }: Body) => content['application/json'].schema;

test('the operations of the playground have the bodies of the public API', async () => {
  const reply = await console.gateway.api({ method: 'GET', path: '/openapi.json' });
  for (const name of Object.keys(playgroundRoutes)) {
    const { post } = description.paths[`/accounts/{account}/playground/{mode}/${name}`];
    const { post: open } = reply.body.paths[`/${name}`];
    expect(schemaOf(post.requestBody)).toEqual(schemaOf(open.requestBody));
    expect(schemaOf(post.responses['200'])).toEqual(schemaOf(open.responses['200']));
    expect(schemaOf(post.responses.default).anyOf).toContainEqual(schemaOf(open.responses['400']));
  }
});

test('every schema compiles, and every reference leads somewhere inside', () => {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    keywords: ['x-enum-varnames', 'x-also-accepts'],
  });
  addFormats(ajv);
  ajv.addKeyword('components').addSchema({ components: description.components }, 'console');
  const compile = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 0;
    const { schema, ...others } = node as { schema?: object };
    const inner = Object.values(others).reduce((sum: number, schema) => sum + compile(schema), 0);
    if (!schema) return inner;
    const text = JSON.stringify(schema).replaceAll('"#/', '"console#/');
    expect(ajv.compile(JSON.parse(text))).toBeInstanceOf(Function);
    return inner + 1;
  };
  expect(compile(description.paths)).toBeGreaterThan(2 * consoleCalls.length);
  for (const name of Object.keys(description.components.schemas)) {
    expect(ajv.compile({ $ref: `console#/components/schemas/${name}` })).toBeInstanceOf(Function);
  }
  expect(description.components.schemas).toMatchObject({ ApiKey: {}, KeyMode: {} });
});
