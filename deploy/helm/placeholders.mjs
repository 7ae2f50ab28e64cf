// Puts a placeholder in place of each value in the objects that kustomize builds, remembers the defaults found there, and
// turns the placeholders into Helm's expressions once the objects are text.

import { isDeepStrictEqual } from 'node:util';
import { derived, options, tiers } from './options.mjs';

/** @typedef {(indent: string, before: string) => string[]} Writer gives the lines in place of one that ends with a placeholder */

/** @param {string} glob */
const matcher = (glob) => new RegExp(`^${glob.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

const values = Object.entries(options).map(([key, option]) => ({
  key,
  ...option,
  places: (option.at ?? []).map(matcher),
}));
const substitutes = [
  ...derived.map((one) => ({ ...one, key: undefined, of: undefined, places: one.at.map(matcher) })),
  ...values.filter(({ add }) => !add),
];
const additions = values.filter(({ add }) => add);

export class Placeholders {
  /** Defaults by key. @type {Map<string, any>} */
  defaults = new Map();
  /** Variables that the templates set, by tier: values cannot replace them. @type {Map<string, Set<string>>} */
  reserved = new Map(tiers.map(({ tier }) => [tier, new Set()]));
  /** @type {Map<string, Writer>} by an id of its text: equal places get equal placeholders in each build */
  #writers = new Map();

  constructor() {
    for (const { key, default: value } of values) if (value !== undefined) this.defaults.set(key, value);
  }

  /** @param {any} object @returns {any} a copy with placeholders */
  put(object) {
    return this.#visit(object, `${object.kind}/${object.metadata.name}:`);
  }

  /** @param {any} node @param {string} path @returns {any} */
  #visit(node, path) {
    const found = substitutes.find(
      ({ places, of }) =>
        places.some((place) => place.test(path)) && (!of || (typeof node === 'string' && of.test(node))),
    );
    if (found) {
      if (found.key) this.#keepDefault(found.key, node);
      return this.#placeholder(found.text ?? '', found.key, node);
    }
    const child = (/** @type {string | number} */ key) =>
      `${path}${path.endsWith(':') ? '' : '.'}${String(key)}`;
    if (Array.isArray(node)) {
      const items = node.map((item, i) => this.#visit(item, child(item?.name ?? i)));
      const tier = tiers.find(({ at }) => at === path);
      return tier ? this.#takeVariables(tier, items) : items;
    }
    if (typeof node !== 'object' || node === null) return node;
    const own = Object.entries(node).map(([key, value]) => [key, this.#visit(value, child(key))]);
    const added = additions.flatMap(({ key, add = '', places }) => {
      if (!places.some((place) => place.test(path))) return [];
      const placeholder = this.#addition(key, add);
      return [[add === '*' ? placeholder : add, placeholder]];
    });
    return Object.fromEntries([...own, ...added]);
  }

  /** @param {string} key @param {any} node @throws {Error} if two places differ, since one value cannot stand for both */
  #keepDefault(key, node) {
    const { default: fixed } = options[key] ?? {};
    if (fixed !== undefined) return;
    const known = this.defaults.get(key) ?? node;
    if (!isDeepStrictEqual(known, node)) throw new Error(`${key} has two defaults: ${known} and ${node}`);
    this.defaults.set(key, node);
  }

  /** @param {string} text @param {string | undefined} key @param {any} node */
  #placeholder(text, key, node) {
    if (text) return this.#write(text, (indent, before) => [`${indent}${before}${text}`]);
    const value = `.Values.${key}`;
    if (typeof node === 'object')
      return this.#write(value, (indent, before) => [
        `${indent}${before}{{- toYaml ${value} | nindent ${indent.length + 2} }}`,
      ]);
    const filter = typeof node === 'string' ? 'quote' : 'int';
    return this.#write(value, (indent, before) => [`${indent}${before}{{ ${value} | ${filter} }}`]);
  }

  /** @param {string} key @param {string} add */
  #addition(key, add) {
    const open = `{{- with .Values.${key} }}`;
    return this.#write(open, (indent, before) => {
      const type = typeof this.defaults.get(key);
      const line =
        type !== 'object'
          ? `${indent}${before}{{ . ${type === 'string' ? '| quote ' : ''}}}`
          : add === '*'
            ? `{{- toYaml . | nindent ${indent.length} }}`
            : `${indent}${before}{{- toYaml . | nindent ${indent.length + 2} }}`;
      return [open, line, '{{- end }}'];
    });
  }

  /**
   * Moves variables with a plain value to the values of the tier: those of the base, which comes first.
   * @param {{ tier: string, key: string }} tier
   * @param {{ name: string, value?: string }[]} variables
   */
  #takeVariables({ tier, key }, variables) {
    const known = this.defaults.get(key);
    const isBase = Object.keys(known).length === 0;
    const isPlain = ({ name = '', value = '$(' }) =>
      isBase ? !value.includes('$(') && !PLACEHOLDER.test(value) : name in known;
    const plain = Object.fromEntries(variables.filter(isPlain).map(({ name, value }) => [name, value]));
    if (isBase) this.defaults.set(key, plain);
    else if (!isDeepStrictEqual(plain, known)) throw new Error(`A component changes a variable of ${key}`);
    const rest = variables.filter((variable) => !isPlain(variable));
    for (const { name } of rest) this.reserved.get(tier)?.add(name);
    const all = this.#write(`range ${key}`, (indent) => [
      `{{- range $name, $value := .Values.${key} }}`,
      `${indent}- name: {{ $name }}`,
      `${indent}  value: {{ $value | quote }}`,
      '{{- end }}',
    ]);
    return [...rest, { name: all }];
  }

  /** @param {string} id @param {Writer} writer */
  #write(id, writer) {
    this.#writers.set(id, this.#writers.get(id) ?? writer);
    return `__${[...this.#writers.keys()].indexOf(id)}__`;
  }

  /** @param {readonly string[]} lines @returns {string} */
  resolve(lines) {
    const writers = [...this.#writers.values()];
    return lines
      .flatMap((line) => {
        const [, indent = '', before = '', index] = PLACEHOLDER.exec(line) ?? [];
        return index === undefined ? [line] : (writers[Number(index)]?.(indent, before) ?? []);
      })
      .join('\n');
  }
}

const PLACEHOLDER = /^(\s*)(.*?)__(\d+)__$/;
