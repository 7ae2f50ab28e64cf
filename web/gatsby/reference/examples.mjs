/** Examples of the contract as a reader sees them: pictures cut short, since nobody reads base64. */
import { highlight } from '../highlight.mjs';

/**
 * @typedef {import('./contract-files.mjs').Json} Json
 * @typedef {{ label: string, code: string, html: string }} Example
 */

const MAX_LENGTH = 96;
const KEPT = 40;

/** @param {unknown} value */
const shortened = (value) =>
  JSON.stringify(
    value,
    (_key, one) => (typeof one === 'string' && one.startsWith('data:') && one.length > MAX_LENGTH ? `${one.slice(0, KEPT)}…` : one),
    2,
  );

/**
 * @param {Json} examples of a media type in openapi.json
 * @param {Record<string, Json>} files by name
 * @returns {Example[]}
 */
export function readExamples(examples, files) {
  return Object.values(examples ?? {}).map(({ summary, externalValue, value }) => {
    const content = externalValue ? files[externalValue.replace(/^examples\//, '')] : value;
    if (content === undefined) throw new Error(`The contract names an example that is not there: ${externalValue}.`);
    const isText = typeof content === 'string';
    const code = isText ? content : shortened(content);
    return { label: summary, code, html: highlight(code, isText ? 'text' : 'json') };
  });
}
