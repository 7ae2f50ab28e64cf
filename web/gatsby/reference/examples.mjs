/** The contract's examples for readers, with images and long lists shortened. */
import { highlight } from '../highlight.mjs';

/**
 * @typedef {import('./contract-files.mjs').Json} Json
 * @typedef {{ label: string, code: string, html: string }} Example
 */

const MAX_LENGTH = 96;
const KEPT = 40;
/** The longest list that is shown in full; of longer ones the first two entries are shown. */
const MAX_ENTRIES = 4;
const MORE = '…';

/** @param {unknown} value @returns {string} */
const shortened = (value) =>
  JSON.stringify(value, (_key, nested) => shortenOne(nested), 2).replaceAll(`"${MORE}"`, MORE);

/** @param {unknown} value */
function shortenOne(value) {
  if (Array.isArray(value) && value.length > MAX_ENTRIES) return [...value.slice(0, 2), MORE];
  const isImage = typeof value === 'string' && value.startsWith('data:') && value.length > MAX_LENGTH;
  return isImage ? `${value.slice(0, KEPT)}${MORE}` : value;
}

/**
 * @param {Json} examples of a media type in openapi.json
 * @param {Record<string, Json>} files by name
 * @returns {Example[]}
 */
export function readExamples(examples, files) {
  return Object.values(examples ?? {}).map(({ summary, externalValue, value }) => {
    const content = externalValue ? files[externalValue.replace(/^examples\//, '')] : value;
    if (content === undefined) throw new Error(`The contract refers to a missing example: ${externalValue}.`);
    const isText = typeof content === 'string';
    const code = isText ? content : shortened(content);
    return { label: summary, code, html: highlight(code, isText ? 'text' : 'json') };
  });
}
