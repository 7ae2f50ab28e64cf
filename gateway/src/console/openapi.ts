/** The description of the console's API, from its declared calls. */

import brand from '@presenza/contract/brand.json';
import { bundleOpenapi, componentName } from '@presenza/contract/bundle.cjs';
import { account } from '../admin/operation';
import { consoleCatalogue } from '../errors/console-catalogue';
import { type Call, operationIdOf } from './call';
import { components, outputs } from './outputs';
import { playgroundPath, playgroundRoles, playgroundRoutes } from './playground';
import { contract, type Output, object, string, time } from './schema';

const streams: Readonly<Record<string, readonly string[]>> = {
  'usage export': ['application/x-ndjson', 'text/csv'],
  'requests export': ['text/csv'],
};

/** The name of the call in `outputs`. */
export const outputOf = ({ id }: Pick<Call, 'id'>): Output | undefined =>
  outputs[id.replace(/^operator /, '')];

/** An OpenAPI 3.1 document without external references. */
export function consoleOpenapi(calls: readonly Call[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const call of calls) {
    const [method, path] = call.http;
    const template = templateOf(path);
    paths[template] = { ...paths[template], [method.toLowerCase()]: operationOf(call) };
  }
  for (const name of Object.keys(playgroundRoutes)) {
    paths[templateOf(`${playgroundPath}/${name}`)] = { post: playgroundOf(name) };
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: `${brand.name} console API`,
      version: '1',
      description: `The API of the console's own pages. It may change with every release: integrations use the API with keys.`,
    },
    servers: [{ url: '/console/api' }],
    paths,
    components: { securitySchemes: { signIn }, schemas: { Failure: failure } },
  };
  const schemas = Object.entries(components).map(([name, schema]) => [name, linkedFields(schema)]);
  const described = linked(document) as typeof document;
  Object.assign(described.components.schemas, Object.fromEntries(schemas));
  return withSchemas(described);
}

const componentNames = new Map(Object.entries(components).map(([name, schema]) => [schema as unknown, name]));

const signIn = { type: 'apiKey', in: 'cookie', name: `__Host-${brand.slug}-console` };
const failure = object({
  success: { type: 'boolean', const: false },
  error: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', description: `Also one of ${Object.keys(consoleCatalogue).join(', ')}` },
      message: string,
      reason: { type: 'string', description: 'The cause within a code of the public API' },
      param: { type: 'string', description: 'The field at fault' },
      resetsAt: { ...time, description: 'When an exceeded limit or quota allows the call again' },
    },
  },
  requestId: string,
});

const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}');

/** An operation of the playground, which has the request and the responses of the public one. */
function playgroundOf(name: string): object {
  const failures = [{ $ref: '#/components/schemas/Failure' }, contract('error-response')];
  return {
    operationId: operationIdOf({ id: `playground ${name}` }),
    summary: `Runs the operation /${name} of the public API as the account`,
    description: `For ${whoOf(playgroundRoles)}. The body may have every form that the public API takes.`,
    security: [{ signIn: [] }],
    parameters: [inPathOf('account', account), inPathOf('mode', contract('key-mode'))],
    requestBody: { required: true, ...json(contract(`${name}-request`)) },
    responses: {
      200: { description: 'Success', ...json(contract(`${name}-response`)) },
      default: { description: 'Failure', ...json({ anyOf: failures }) },
    },
  };
}

const inPathOf = (name: string, schema: object | undefined) => ({ name, in: 'path', required: true, schema });

function operationOf(call: Call): object {
  const { summary, access, recent = access === 'recent', input, http, images } = call;
  const [method, path] = http;
  const isOpen = access === 'anyone' || access === 'maybe';
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  const properties = Object.entries(input.properties).filter(([name]) => !inPath.includes(name));
  const required = input.required.filter((name) => !inPath.includes(name));
  const inQuery = method === 'GET' ? properties : [];
  const fields = {
    ...Object.fromEntries(properties),
    ...(images !== undefined && { [images]: { type: 'array', items: string } }),
  };
  const hasBody = method !== 'GET' && Object.keys(fields).length > 0;
  return {
    operationId: operationIdOf(call),
    summary,
    description: `For ${whoOf(access)}${recent ? ', after a sign-in in the last minutes' : ''}.`,
    security: isOpen ? [] : [{ signIn: [] }],
    parameters: [
      ...inPath.map((name) => inPathOf(name, input.properties[name])),
      ...inQuery.map(([name, schema]) => ({ name, in: 'query', required: required.includes(name), schema })),
    ],
    ...(hasBody && {
      requestBody: {
        required: required.length > 0,
        ...json({ type: 'object', additionalProperties: false, required, properties: fields }),
      },
    }),
    responses: {
      200: { description: 'Success', ...contentOf(call) },
      default: { description: 'Failure', ...json({ $ref: '#/components/schemas/Failure' }) },
    },
  };
}

function whoOf(access: Call['access']): string {
  if (typeof access !== 'string') return `members with the role ${access.join(', ')}`;
  if (access === 'operator') return 'operators who used a second factor';
  return access === 'anyone' || access === 'maybe' ? 'anyone' : 'people who are signed in';
}

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

function contentOf(call: Call): object {
  const data = outputOf(call) ?? {};
  const types = streams[call.id.replace(/^operator /, '')];
  if (types) return { content: Object.fromEntries(types.map((type) => [type, { schema: data }])) };
  return json(object({ success: { type: 'boolean', const: true }, data, requestId: string }));
}

/** Turns references to files of the contract, and schemas that have a name, into references to components. */
function linked(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(linked);
  if (typeof node !== 'object' || node === null) return node;
  const name = componentNames.get(node);
  return name === undefined ? linkedFields(node) : { $ref: `#/components/schemas/${name}` };
}

const linkedFields = (node: object) =>
  Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === '$ref' && String(value).endsWith('.json')
        ? [key, `#/components/schemas/${componentName(String(value))}`]
        : [key, linked(value)],
    ),
  );

/** Adds the schemas that the document refers to, directly or by others. */
function withSchemas<T extends { readonly components: { readonly schemas: object } }>(document: T): T {
  const known = bundleOpenapi().components.schemas;
  const schemas: Record<string, object> = { ...(document.components.schemas as Record<string, object>) };
  const add = (node: unknown) => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = known[name];
      if (!schema || schemas[name]) continue;
      schemas[name] = schema;
      add(schema);
    }
  };
  add(document);
  return { ...document, components: { ...document.components, schemas } };
}
