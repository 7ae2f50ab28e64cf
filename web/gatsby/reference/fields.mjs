/** Flattens a JSON Schema into a list of fields, each with its depth, type and bounds. */
import { fill } from './fill.mjs';

/**
 * @typedef {import('./contract-files.mjs').Json} Json
 * @typedef {import('./fill.mjs').ReferenceTexts} ReferenceTexts
 * @typedef {object} Field
 * @property {string} path from the root: `faces[].boundingBox.left`
 * @property {string} name its own
 * @property {number} depth 0 at the top
 * @property {string} type as readers see it
 * @property {boolean} required
 * @property {boolean} extension whether the specification lacks the field
 * @property {string} description
 * @property {string[]} bounds ranges and default as readers see them
 * @property {string[]} values the allowed values, if enumerated
 */

/** The mark of extensions of the specification in the contract's texts. */
const EXTENSION = /^Extension(?:, (synchronous delivery only))?\. ?/;

/** @param {string} text @returns {{ extension: boolean, description: string }} */
export const withoutMark = (text) => ({
  extension: EXTENSION.test(text),
  description: text.replace(EXTENSION, (_, scope) =>
    scope ? `${scope[0].toUpperCase()}${scope.slice(1)}. ` : '',
  ),
});

/** @param {Record<string, Json>} schemas by file name @param {ReferenceTexts} texts */
export function fieldReader(schemas, texts) {
  /** A schema merged with its $ref target; its own members take precedence. @param {Json} schema @returns {Json} */
  const resolve = (schema) => {
    if (!schema.$ref) return schema;
    const target = schemas[schema.$ref.replace(/^schemas\//, '')];
    if (!target) throw new Error(`The contract refers to a missing schema: ${schema.$ref}.`);
    return { ...resolve(target), ...schema, $ref: undefined };
  };

  /** @param {Json} schema @returns {string} */
  const typeOf = (schema) => {
    const { type, anyOf, items, format, contentMediaType, ...rest } = resolve(schema);
    if (anyOf) return anyOf.map(nameOf).join(texts.types.or);
    if ('const' in rest) return texts.types[/** @type {'string' | 'boolean'} */ (typeof rest.const)];
    if (type === 'array')
      return texts.lists[/** @type {keyof ReferenceTexts['lists']} */ (resolve(items).type)];
    if (schema.$ref === 'data-uri-image.json') return texts.types.dataUri;
    if (contentMediaType) return texts.types.file;
    if (format === 'date-time') return texts.types.dateTime;
    if (format === 'date') return texts.types.date;
    if (format === 'uri') return texts.types.uri;
    return texts.types[/** @type {keyof ReferenceTexts['types']} */ (type)];
  };

  /** One member of an anyOf. Objects appear by title, since their fields are listed elsewhere. @param {Json} schema */
  const nameOf = (schema) => {
    const { title, const: constant } = resolve(schema);
    if (schema.$ref) return title.toLowerCase();
    return constant === undefined ? typeOf(schema) : JSON.stringify(constant);
  };

  /** @param {Json} schema @returns {string[]} */
  const boundsOf = (schema) => {
    const { bounds } = texts;
    const resolved = resolve(schema);
    const list =
      resolved.anyOf?.map(resolve).find((/** @type {Json} */ member) => member.type === 'array') ?? resolved;
    return [
      pair(resolved.minimum, resolved.maximum, bounds.number),
      // A lower bound of 1 means only "not empty".
      pair(above1(resolved.minLength), resolved.maxLength, bounds.length),
      pair(above1(list.minItems), list.maxItems, bounds.items),
      pair(undefined, resolved.maxProperties, bounds.properties),
      list.uniqueItems ? bounds.unique : undefined,
      'default' in resolved ? fill(bounds.default, { value: JSON.stringify(resolved.default) }) : undefined,
    ].filter((text) => text !== undefined);
  };

  /** @param {Json} schema @returns {string[]} */
  const valuesOf = (schema) => {
    const { enum: values, items, anyOf, const: constant } = resolve(schema);
    if (anyOf) return anyOf.flatMap(valuesOf);
    if (items) return valuesOf(items);
    return (constant === undefined ? (values ?? []) : [constant]).map((/** @type {Json} */ allowed) =>
      JSON.stringify(allowed),
    );
  };

  /**
   * @param {string} name @param {Json} schema
   * @param {{ path?: string, depth?: number, required?: boolean }} [place]
   * @returns {Field[]} the field and its descendants
   */
  const read = (name, schema, { path = name, depth = 0, required = false } = {}) => {
    const resolved = resolve(schema);
    const { extension, description } = withoutMark(resolved.description ?? resolved.title ?? '');
    const bounds = boundsOf(schema);
    const field = { path, name, depth, type: typeOf(schema), required, extension, description, bounds };
    const entries = resolved.type === 'array' ? resolve(resolved.items) : resolved;
    const prefix = resolved.type === 'array' ? `${path}[].` : `${path}.`;
    return [{ ...field, values: valuesOf(schema) }, ...readAll(entries, prefix, depth + 1)];
  };

  /**
   * The fields of an object.
   * @param {Json} schema
   * @param {string} [prefix]
   * @param {number} [depth]
   * @returns {Field[]}
   */
  const readAll = (schema, prefix = '', depth = 0) => {
    const { properties = {}, required = [] } = resolve(schema);
    return Object.entries(properties).flatMap(([name, property]) =>
      read(name, property, { path: prefix + name, depth, required: required.includes(name) }),
    );
  };

  return { read, readAll, resolve };
}

/** @param {number | undefined} value */
const above1 = (value) => (value === undefined || value > 1 ? value : undefined);

/**
 * @param {number | undefined} minimum @param {number | undefined} maximum
 * @param {{ range?: string, minimum?: string, maximum: string }} texts
 */
function pair(minimum, maximum, texts) {
  const text =
    minimum === undefined
      ? maximum !== undefined && texts.maximum
      : maximum === undefined
        ? texts.minimum
        : texts.range;
  return text ? fill(text, { minimum: minimum ?? 0, maximum: maximum ?? 0 }) : undefined;
}
