/** Converts operations, webhooks and schemas of openapi.json to the form that pages show. */
import { readExamples } from './examples.mjs';
import { fieldReader, withoutMark } from './fields.mjs';
import { fill } from './fill.mjs';

/**
 * @typedef {import('./contract-files.mjs').Contract} Contract
 * @typedef {import('./contract-files.mjs').Json} Json
 * @typedef {import('./fill.mjs').ReferenceTexts} ReferenceTexts
 * @typedef {import('./fields.mjs').Field} Field
 * @typedef {import('./examples.mjs').Example} Example
 * @typedef {{ type: string, extension: boolean, description: string | null, fields: Field[], examples: Example[] }} Body
 * @typedef {{ status: string, description: string, codes: string[] }} Status
 * @typedef {{ name: string, title: string, members: Field[] }} Schema
 * @typedef {{ eventType: string, summary: string, statuses: Status[], examples: Example[] }} Webhook
 * @typedef {ReturnType<ReturnType<typeof operationReader>['readOperations']>[number]} Operation
 */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const KIBIBYTE = 1024;

/** @param {Contract} contract @param {ReferenceTexts} texts */
export function operationReader({ openapi, schemas, examples }, texts) {
  const fields = fieldReader(schemas, texts);

  /** Follows `#/components/...`. @param {Json} node @returns {Json} */
  const follow = (node) =>
    node.$ref
      ? node.$ref
          .slice('#/'.length)
          .split('/')
          .reduce((/** @type {Json} */ place, /** @type {string} */ step) => place[step], openapi)
      : node;

  /**
   * @param {Json} parameter of a request, or a header of a response
   * @param {string} [name]
   * @returns {Field & { place: string, example: string | null }}
   */
  const readParameter = (parameter, name) => {
    const { in: place, required, description, schema, example, ...rest } = follow(parameter);
    const [field] = fields.read(
      rest.name ?? name,
      { ...schema, description },
      { required: Boolean(required) },
    );
    return {
      .../** @type {Field} */ (field),
      place: place ?? 'header',
      example: example === undefined ? null : String(example),
    };
  };

  /** @param {Json} content by media type @param {boolean} isResponse @returns {Body[]} */
  const readBodies = (content, isResponse) =>
    Object.entries(content ?? {}).map(([type, body]) => {
      const schema = fields.resolve(body.schema);
      // The reference describes the envelope around the data of all responses once.
      const inner = isResponse && schema.properties?.data ? schema.properties.data : schema;
      const isFile = !schema.properties && !schema.anyOf;
      return {
        type,
        extension: body['x-extension'] === true,
        description: isFile ? schema.description : null,
        fields: (schema.anyOf ?? [inner]).flatMap((/** @type {Json} */ member) => fields.readAll(member)),
        examples: readExamples(body.examples, examples),
      };
    });

  /** @param {Json} responses @returns {Status[]} */
  const readStatuses = (responses) =>
    Object.entries(responses).map(([status, response]) => {
      const { description, content = {} } = follow(response);
      const named = Object.values(content).flatMap((/** @type {Json} */ body) =>
        Object.keys(body.examples ?? {}),
      );
      return { status, description, codes: named.filter((name) => /^[A-Z_]+$/.test(name)) };
    });

  /**
   * @param {string} path
   * @param {string} method
   * @param {Json} operation
   * @param {Json[]} shared parameters of the path
   */
  const readOperation = (path, method, operation, shared) => {
    const { operationId, summary, requestBody, responses, security, parameters = [] } = operation;
    const maxBytes = operation['x-max-body-bytes'];
    // Operations without authentication.
    const isOpen = security.some((/** @type {Json} */ requirement) => Object.keys(requirement).length === 0);
    return {
      operationId,
      anchor: anchorOf(operationId),
      method: method.toUpperCase(),
      path,
      summary,
      ...withoutMark(operation.description),
      extension: operation['x-extension'] === true,
      auth: isOpen
        ? [texts.auth.none]
        : security.map(
            (/** @type {Json} */ requirement) =>
              texts.auth[/** @type {'apiKey'} */ (Object.keys(requirement)[0])],
          ),
      needsKey: !isOpen,
      isSessionCall: security.every((/** @type {Json} */ requirement) => 'sessionToken' in requirement),
      maxBody: maxBytes ? fill(texts.maxBody, { size: sizeOf(maxBytes) }) : null,
      parameters: [...shared, ...parameters].map((parameter) => readParameter(parameter)),
      requestDescription: requestBody?.description ?? null,
      request: readBodies(requestBody?.content, false),
      response: readBodies(responses['200'].content, true),
      statuses: readStatuses(responses),
    };
  };

  return {
    readOperations: () =>
      Object.entries(openapi.paths).flatMap(([path, item]) =>
        METHODS.filter((method) => item[method]).map((method) =>
          readOperation(path, method, item[method], item.parameters ?? []),
        ),
      ),

    /** @returns {Webhook[]} */
    readWebhooks: () =>
      Object.entries(openapi.webhooks).map(([eventType, { post }]) => ({
        eventType,
        summary: post.summary,
        statuses: readStatuses(post.responses),
        examples: readExamples(post.requestBody.content['application/json'].examples, examples),
      })),

    /** The headers of a webhook, which are the same for all events. */
    readWebhookHeaders: () => {
      const [first] = Object.values(openapi.webhooks);
      return first.post.parameters.map((/** @type {Json} */ parameter) => readParameter(parameter));
    },

    readHeaders: () =>
      Object.entries(openapi.components.headers).map(([name, header]) => readParameter(header, name)),

    /** @returns {Schema[]} */
    readSchemas: () =>
      Object.entries(schemas).map(([file, schema]) => ({
        name: file.replace(/\.json$/, ''),
        title: schema.title,
        // Gatsby reserves a node's `fields`.
        members: fields.readAll(schema),
      })),
  };
}

/** detectFaces is at #detect-faces. @param {string} operationId */
const anchorOf = (operationId) => operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @param {number} bytes */
function sizeOf(bytes) {
  const kibibytes = bytes / KIBIBYTE;
  const [value, unit] = kibibytes < KIBIBYTE ? [kibibytes, 'kilobyte'] : [kibibytes / KIBIBYTE, 'megabyte'];
  return new Intl.NumberFormat('en', { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
