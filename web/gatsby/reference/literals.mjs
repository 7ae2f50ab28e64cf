/** Writes JSON values as literals of the sample languages. `{ "$image": "photo.jpg" }` is an image read from a file. */

/**
 * @typedef {null | boolean | number | string | Value[] | { [name: string]: Value }} Value
 * @typedef {object} Style
 * @property {(file: string) => string} image
 * @property {[string, string]} list
 * @property {[string, string]} object
 * @property {(name: string, value: string) => string} pair
 * @property {(text: string) => string} text
 * @property {string} indent one step
 * @property {boolean} trailingComma
 * @property {string} [nested] suffix of a nested object
 */

const MAX_LINE = 64;
const quoted = (/** @type {string} */ text) => JSON.stringify(text);
const single = (/** @type {string} */ text) => `'${text}'`;
/** @param {string} name */
const property = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : single(name));

/** @type {Record<'json' | 'compact' | 'python' | 'node' | 'dart' | 'kotlin' | 'swift', Style>} */
export const STYLES = {
  json: style({ image: () => '"%s"' }),
  compact: style({ image: () => '"%s"', pair: (name, value) => `${quoted(name)}:${value}`, indent: '' }),
  python: style({ image: (file) => `data_uri(${quoted(file)})`, indent: '    ', trailingComma: true }),
  node: style({
    image: (file) => `await dataUri(${single(file)})`,
    object: ['{ ', ' }'],
    pair: (name, value) => `${property(name)}: ${value}`,
    text: single,
    trailingComma: true,
  }),
  dart: style({
    image: (file) => `await dataUri(${single(file)})`,
    pair: (name, value) => `${single(name)}: ${value}`,
    text: single,
    trailingComma: true,
  }),
  kotlin: style({
    image: (file) => `dataUri(${quoted(file)})`,
    list: ['listOf(', ')'],
    object: ['mapOf(', ')'],
    pair: (name, value) => `${quoted(name)} to ${value}`,
    indent: '    ',
    trailingComma: true,
  }),
  swift: style({
    image: (file) => `try dataURI(${quoted(file)})`,
    object: ['[', ']'],
    indent: '    ',
    trailingComma: true,
    nested: ' as [String: Any]',
  }),
};

/** @param {Partial<Style> & Pick<Style, 'image'>} overrides @returns {Style} */
function style(overrides) {
  const pair = (/** @type {string} */ name, /** @type {string} */ value) => `${quoted(name)}: ${value}`;
  return {
    list: ['[', ']'],
    object: ['{', '}'],
    pair,
    text: quoted,
    indent: '  ',
    trailingComma: false,
    ...overrides,
  };
}

/** @param {Value} value @param {Style} style @param {boolean} [isNested] @returns {string} */
export function literal(value, style, isNested = false) {
  if (typeof value === 'string') return style.text(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const image = imageOf(value);
  if (image !== undefined) return style.image(image);
  if (Array.isArray(value)) {
    const entries = value.map((entry) => literal(entry, style, true));
    return join(entries, style.list, style);
  }
  const pairs = Object.entries(value).map(([name, member]) => style.pair(name, literal(member, style, true)));
  return join(pairs, style.object, style) + (isNested ? (style.nested ?? '') : '');
}

/** The images of a value in order. @param {Value} value @returns {string[]} */
export function imagesOf(value) {
  if (value === null || typeof value !== 'object') return [];
  const image = imageOf(value);
  return image === undefined ? Object.values(value).flatMap(imagesOf) : [image];
}

/** @param {{ $image?: Value } | Value[]} value */
const imageOf = (value) => ('$image' in value && typeof value.$image === 'string' ? value.$image : undefined);

/** Writes short lists and objects on one line. @param {string[]} parts @param {[string, string]} brackets @param {Style} style */
function join(parts, [open, close], { indent, trailingComma }) {
  const line = `${open}${parts.join(indent ? ', ' : ',')}${close}`;
  if (!indent || (line.length <= MAX_LINE && !line.includes('\n'))) return line;
  const lines = parts.map((part) => indent + part.replaceAll('\n', `\n${indent}`));
  return `${open.trimEnd()}\n${lines.join(',\n')}${trailingComma ? ',' : ''}\n${close.trimStart()}`;
}
