/**
 * Bundles openapi.json with the schemas and examples of this folder into the document that the service serves at
 * /openapi.json. The document describes the same API in the parts of JSON Schema that code generators understand.
 * CommonJS, because the gateway loads it with require and the site with import. A bundler such as @redocly/openapi-core (21
 * packages, 29 MB in the gateway's image) would replace the few lines that resolve references; the others are these rules.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

/** @typedef {null | boolean | number | string | Json[] | { [key: string]: Json }} Json */

/**
 * Notes for maintainers, names of files, and conditions between fields. Conditions only serve validation: no generator
 * turns them into code, and some reject the document because of them.
 */
const LEFT_OUT = new Set(['$id', '$schema', '$comment', 'x-comment', 'if', 'then', 'else']);

/** Enumerations that share a value with an older one. In Go, the constants of all enumerations share one namespace. */
const PREFIXED = new Set([
  'face-warning.json',
  'key-state.json',
  'liveness-failure-reason.json',
  'liveness-hint.json',
  'test-outcome.json',
  'webhook-decision-failure.json',
  'webhook-failure-policy.json',
  'webhook-mode.json',
  'webhook-response-fault.json',
]);

/** Stands for the address that an account sets for its webhooks. */
const ENDPOINT = 'https://your-endpoint.example/webhooks';

/** @returns {any} an OpenAPI 3.1 document without external references */
exports.bundleOpenapi = () => {
  const document = /** @type {any} */ (bundled(read('openapi.json')));
  const files = readdirSync(join(__dirname, 'schemas')).sort();
  document.components.schemas = Object.fromEntries(
    files.map((file) => [componentName(file), component(file)]),
  );
  for (const { post } of Object.values(document.paths)) nameForm(post?.requestBody?.content ?? {});
  moveWebhooks(document);
  return document;
};

/**
 * Gives a form the schema of the JSON body, which has the same fields; images may be files (see `encoding`). Generators
 * that write methods for JSON refer to the type of the form as well, but openapi-generator does not write types that
 * only forms have.
 * @param {any} content by media type
 */
function nameForm({ 'application/json': json, 'multipart/form-data': form }) {
  if (!form) return;
  form.schema = json.schema;
  delete form.examples;
}

/**
 * Turns each webhook into a reference to a component. Clients receive webhooks, but some generators would write methods
 * that send them, and typescript-fetch methods that do not compile. Parsers expect such a component to be complete, so
 * the parameters are in it. An event is also a callback of the call that creates a session, because oapi-codegen writes
 * only types that a path leads to.
 */
function moveWebhooks(/** @type {any} */ { webhooks, components, paths }) {
  const { parameters } = components;
  const names = new Set();
  const { requestBody, responses } = webhooks['session.completed'].post;
  const callback = { summary: 'Session event', description: 'One of the webhooks.', requestBody, responses };
  paths['/liveness'].post.callbacks = { event: { [ENDPOINT]: { post: callback } } };
  components.pathItems = {};
  for (const [event, item] of Object.entries(webhooks)) {
    const name = componentName(event.replace('.', '-'));
    const headers = item.post.parameters.map((/** @type {any} */ { $ref }) => $ref.split('/').at(-1));
    for (const header of headers) names.add(header);
    item.post.parameters = headers.map((/** @type {string} */ header) => parameters[header]);
    components.pathItems[name] = item;
    webhooks[event] = { $ref: `#/components/pathItems/${name}` };
  }
  for (const name of names) delete parameters[name];
}

/** Removes the title: some generators would name the type after it, and others after the component. */
function component(/** @type {string} */ file) {
  const { title, ...schema } = read(join('schemas', file));
  if (!PREFIXED.has(file)) return bundled(schema);
  const constants = schema.enum.map((/** @type {string} */ value) =>
    inCapitals(componentName(file) + pascal(value)),
  );
  return bundled({ ...schema, 'x-enum-varnames': constants });
}

/** `FaceWarning` is `FACE_WARNING`. @param {string} name */
const inCapitals = (name) => name.replace(/(?!^)[A-Z]/g, '_$&').toUpperCase();

exports.componentName = componentName;

/** @param {string} word */
const pascal = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** @param {string} file @returns {any} */
const read = (file) => JSON.parse(readFileSync(join(__dirname, file), 'utf8'));

/** @param {Json} node @returns {Json} */
function bundled(node) {
  if (Array.isArray(node)) return node.map(bundled);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(withoutValues(oneForm(node))).filter(([key]) => !LEFT_OUT.has(key));
  return Object.fromEntries(entries.map(([key, value]) => entryOf(key, value)));
}

/**
 * Alternatives become one form, because several languages have no type for "one of these". A list or a word becomes the
 * list, and the extension `x-also-accepts` has the word. Objects without a field in common become an object with the
 * fields of all.
 * @param {{ [key: string]: any }} node
 */
function oneForm({ anyOf, ...node }) {
  if (!anyOf) return node;
  /** @type {any[]} */
  const forms = anyOf.map((/** @type {any} */ form) => (form.$ref ? read(join('schemas', form.$ref)) : form));
  const list = forms.find(({ type }) => type === 'array');
  const keywords = forms.flatMap(({ const: word = [] }) => word);
  if (list) return { ...node, ...list, 'x-also-accepts': keywords };
  const fields = forms.flatMap(({ properties }) => Object.entries(properties));
  const properties = Object.fromEntries(fields);
  const isDistinct = Object.keys(properties).length === fields.length;
  return isDistinct ? { ...node, type: 'object', properties } : { ...node, anyOf };
}

/**
 * A default becomes a sentence: clients need not send it, and in Java it makes a class a map. A constant that is true or
 * false becomes an example, because openapi-generator compares it with a text.
 * @param {{ [key: string]: any }} node
 */
function withoutValues({ default: standard, const: constant, ...node }) {
  if (standard !== undefined)
    node.description = `${node.description ?? ''} Default: ${JSON.stringify(standard)}.`.trim();
  if (constant === undefined) return node;
  return typeof constant === 'boolean' ? { ...node, examples: [constant] } : { ...node, const: constant };
}

/** @param {string} key @param {Json} value @returns {[string, Json]} */
function entryOf(key, value) {
  if (typeof value === 'string') {
    if (key === 'externalValue') return ['value', read(value)];
    if (key === '$ref' && value.endsWith('.json'))
      return [key, `#/components/schemas/${componentName(value)}`];
  }
  return [key, bundled(value)];
}

/**
 * `schemas/detect-request.json` and `detect-request.json` are `DetectRequest`. Most languages have an `Error` of their own,
 * and Go clients a function `New<Type>` for each type.
 * @param {string} file
 */
function componentName(file) {
  const parts = file.replace(/^schemas\/|\.json$/g, '').split('-');
  return parts
    .map(pascal)
    .join('')
    .replace(/^Error$/, 'ApiError')
    .replace(/^New/, 'Created');
}
