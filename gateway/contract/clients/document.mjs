/**
 * The OpenAPI document that the libraries are generated from: the served one, limited to JSON and to operations that accept
 * an API key. Methods have the names of the TypeScript client.
 */
import { createRequire } from 'node:module';
import { METHOD_NAMES } from '../client/method-names.mjs';

const require = createRequire(import.meta.url);
const { bundleOpenapi } = require('../bundle.cjs');

/** Whether the error code of a response allows a retry of the same request. */
export const retryable = () =>
  Object.fromEntries(
    Object.entries(require('../errors.json')).map(([code, entry]) => [code, entry.retryable]),
  );

/** Types that the libraries need, although no operation refers to them. */
const NEEDED_TYPES = ['ApiError', 'WebhookEvent', 'WebhookAcknowledgement'];

/** Marks fields that Go leaves out when they are empty. Others are pointers, so that 0 can be sent. */
const VALUE = { 'x-go-type-skip-optional-pointer': true, 'x-omitzero': true };

export function clientDocument() {
  const { openapi, info, paths, components } = bundleOpenapi();
  const document = {
    openapi,
    info,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, itemOf(item, components)])),
    components: { schemas: components.schemas },
  };
  for (const field of Object.values(components.schemas.ApiError.properties)) Object.assign(field, VALUE);
  return withoutUnused(JSON.parse(JSON.stringify(document, plainTypes(components.schemas))));
}

function itemOf({ parameters = [], ...item }, components) {
  const operations = Object.entries(item)
    .filter(([, { security }]) => security?.length === 0 || security?.some(({ apiKey }) => apiKey))
    .map(([method, operation]) => [method, operationOf(operation, parameters, components)]);
  return Object.fromEntries(operations);
}

function operationOf(
  { operationId, summary, description, parameters = [], requestBody, responses },
  shared,
  components,
) {
  const resolve = (node) => (node.$ref ? components.parameters[nameOf(node)] : node);
  const json = (body) => ({ 'application/json': { schema: body.content['application/json'].schema } });
  // The libraries send it for a POST without a body.
  const isEmpty = requestBody && nameOf(requestBody.content['application/json'].schema) === 'EmptyRequest';
  // The query string of an operation with a body belongs to raw images, and the libraries set headers themselves.
  const isKept = (parameter) => parameter.in === 'path' || (parameter.in === 'query' && !requestBody);
  return {
    operationId: METHOD_NAMES[operationId] ?? operationId,
    tags: ['Operations'],
    summary,
    description,
    parameters: [...shared, ...parameters]
      .map(resolve)
      .filter(isKept)
      .map((parameter) => ({ ...parameter, ...VALUE })),
    ...(requestBody &&
      !isEmpty && { requestBody: { required: requestBody.required, content: json(requestBody) } }),
    responses: { 200: { description: responses[200].description, content: json(responses[200]) } },
    ...listOf(operationId, responses[200].content['application/json'].schema, components),
  };
}

/** The method that reads all pages of a list operation, by name, and the type of an item. */
function listOf(operationId, schema, { schemas }) {
  const resolve = (node) => (node?.$ref ? schemas[nameOf(node)] : node);
  const items = resolve(resolve(schema).properties.data)?.properties?.items?.items;
  return items ? { 'x-all': operationId.replace(/^list/, 'all'), 'x-item': nameOf(items) } : {};
}

/** The name of the schema that a reference names. @param {{ $ref: string }} reference */
export const nameOf = ({ $ref }) => $ref.split('/').at(-1);

function withoutUnused({ components, ...document }) {
  const used = new Set(NEEDED_TYPES);
  const follow = (node) => {
    for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) used.add(name);
  };
  follow(document);
  // A set also iterates over what is added meanwhile.
  for (const name of used) follow(components.schemas[name]);
  const schemas = Object.entries(components.schemas).filter(([name]) => used.has(name));
  return { ...document, components: { schemas: Object.fromEntries(schemas) } };
}

/**
 * Changes types in a schema: numbers, which the generators would limit to 32 bits or make decimal, and images, for which the
 * libraries have a type that holds bytes and becomes a data URI. The generators name constants after their type. In Go, lists
 * and maps can be empty without a pointer.
 */
const plainTypes = (schemas) => (_, node) => {
  if (node?.type === 'number') return { ...node, format: 'double' };
  if (node?.enum) return { ...node, 'x-enum-varnames': undefined };
  const name = typeof node?.$ref === 'string' ? nameOf(node) : undefined;
  if (name === 'DataUriImage')
    return { description: node.description, type: 'string', format: 'image', ...VALUE };
  const { type, properties } = schemas[name] ?? {};
  return type === 'array' || (type === 'object' && !properties) ? { ...node, ...VALUE } : node;
};
