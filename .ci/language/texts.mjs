// Extracts text from files other than Markdown: comments and longer strings of code, strings of JSON, comments and values
// of YAML, and comments of other files.

import jsTokens from 'js-tokens';

/** A label is a title or a value, which needs no verb. @typedef {'sentences' | 'labels' | 'headings'} Kind */

/**
 * A piece of a file. Everything except words is blanked out, so that offsets stay the same.
 * @typedef {object} Text
 * @property {number} start offset in the file
 * @property {string} value as long as the piece
 * @property {Kind} kind
 */

const CODE = ['ts', 'tsx', 'mjs', 'cjs', 'js', 'c', 'swift', 'kt', 'java', 'dart', 'php'];
const HASH = ['sh', 'py', 'Dockerfile', 'conf', 'yaml', 'yml'];

/** Extensions of the files that `readTexts` reads. */
export const EXTENSIONS = [...CODE, ...HASH, 'css', 'lua', 'json'].map((name) => `.${name}`);

/** Strings with fewer words are keys, paths or headers. */
const FEWEST_WORDS = 4;

export const blank = (/** @type {string} */ text) => text.replace(/[^\n]/g, ' ');

/** Inline code counts as a correct word. */
export const maskCode = (/** @type {string} */ text) =>
  text.replace(/`[^`\n]+`/g, (code) => 'X'.repeat(code.length));

const isProse = (/** @type {string} */ text) =>
  text
    .trim()
    .split(/\s+/)
    .filter((word) => /^["'(]?[a-z]{1,20}[-'’a-z]*[.,;:!?)"']*$/i.test(word)).length >= FEWEST_WORDS;

/** @param {string} comment with its markers @returns {string} without them and without types of JSDoc, equally long */
const withoutMarkers = (comment) =>
  maskCode(
    comment
      .replace(/@\w+\s+\{(?:[^{}\n]|\{[^{}\n]*\})*\}/g, blank)
      .replace(/^[ \t]*(?:\/\*+|\*+\/|\*(?!\/)|\/\/+|#+|--)|\*+\/$/gm, blank),
  );

/** Comments on consecutive lines are one text. @param {Text[]} texts @param {string} file @returns {Text[]} */
function joinLines(texts, file) {
  /** @type {Text[]} */
  const joined = [];
  for (const text of texts) {
    const last = joined.at(-1);
    const between = last && file.slice(last.start + last.value.length, text.start);
    if (last?.kind === 'sentences' && text.kind === 'sentences' && /^[ \t]*\n?[ \t]*$/.test(between ?? ''))
      last.value += between + text.value;
    else joined.push({ ...text });
  }
  return joined;
}

/** @param {string} file @param {boolean} jsx @returns {Text[]} */
function textsOfCode(file, jsx) {
  /** @type {Text[]} */
  const texts = [];
  let start = 0;
  for (const token of jsTokens(file, { jsx })) {
    const { type, value } = token;
    if (/Comment$/.test(type)) texts.push({ start, value: withoutMarkers(value), kind: 'sentences' });
    else if (
      /^(?:StringLiteral|NoSubstitutionTemplate|Template\w+|JSXText|JSXString)$/.test(type) &&
      isProse(value)
    ) {
      const inner = maskCode(/^JSXText$/.test(type) ? value : ` ${value.slice(1, -1)} `);
      // The middle and the end of a template do not begin a sentence.
      texts.push({
        start,
        value: inner,
        kind: /^Template(?:Middle|Tail)$/.test(type) ? 'labels' : 'sentences',
      });
    }
    start += value.length;
  }
  return joinLines(texts, file);
}

/** @param {string} file @param {RegExp} pattern whose first group is the text @param {Kind} kind @returns {Text[]} */
function textsBy(file, pattern, kind) {
  return [...file.matchAll(pattern)].flatMap((match) => {
    const value = match[1] ?? '';
    const start = match.index + match[0].lastIndexOf(value);
    if (kind !== 'sentences' && !isProse(value)) return [];
    return [{ start, value: kind === 'sentences' ? withoutMarkers(value) : maskCode(value), kind }];
  });
}

const COMMENT_LINES = { hash: /(?:^|\s)(#.*)$/gm, lua: /(--.*)$/gm };

/** @param {string} file @param {string} extension with its dot @returns {Text[]} */
export function readTexts(file, extension) {
  const kind = extension.slice(1);
  if (CODE.includes(kind)) return textsOfCode(file, kind === 'tsx');
  if (kind === 'json') return textsBy(file, /"(?:[^"\\\n]|\\.)*"\s*:|"((?:[^"\\\n]|\\.)*)"/g, 'labels');
  if (kind === 'css') return textsBy(file, /(\/\*[\s\S]*?\*\/)/g, 'sentences');
  if (kind === 'lua') return joinLines(textsBy(file, COMMENT_LINES.lua, 'sentences'), file);
  const values = /^y/.test(kind) ? textsBy(file, /^(?! *#)(?: *(?:- )?[\w./-]+:)? *(.+)$/gm, 'labels') : [];
  return [...joinLines(textsBy(file, COMMENT_LINES.hash, 'sentences'), file), ...values];
}
