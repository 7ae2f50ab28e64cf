// Applies phrases.yaml as a rule of textlint.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { maskCode } from './texts.mjs';

/**
 * @typedef {object} Phrase
 * @property {string} find regular expression
 * @property {string} say in its place
 * @property {string[]} refuses examples
 * @property {string[]} accepts examples
 */

/** @type {{ phrases: Phrase[], sentences: Phrase[] }} */
export const RULES = parse(readFileSync(new URL('phrases.yaml', import.meta.url), 'utf8'));

const compile = (/** @type {Phrase[]} */ list, /** @type {string} */ flags) =>
  list.map(({ find, say }) => ({ pattern: new RegExp(find, flags), say }));
const PHRASES = compile(RULES.phrases, 'gi');
const SENTENCES = compile(RULES.sentences, 'is');

/** Ends of sentences, empty lines, and the beginnings of list items and of tags of JSDoc. */
const BOUNDARY = /[.!?]["”’)]*\s+|\n[ \t]*\n|\n[ \t]*(?:[-*]|\d+\.)[ \t]+|\n[ \t]*(?=@\w)/g;

/**
 * @param {string} text
 * @returns {{ start: number, sentence: string }[]}
 */
function splitSentences(text) {
  const ends = [...text.matchAll(BOUNDARY)].map(({ 0: { length }, index }) => index + length);
  return [0, ...ends].map((start, nth) => {
    const raw = text.slice(start, ends[nth] ?? text.length);
    const sentence = raw.replace(/^[\s"“‘'(>-]+/, '');
    return { start: start + raw.length - sentence.length, sentence: sentence.trimEnd() };
  });
}

/**
 * @param {string} text
 * @param {'sentences' | 'labels' | 'headings'} kind a label with a full stop counts as a sentence
 * @returns {{ start: number, end: number, message: string }[]}
 */
export function judge(text, kind) {
  const faults = PHRASES.flatMap(({ pattern, say }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      message: `"${found.replace(/\s+/g, ' ')}": ${say}`,
    })),
  );
  if (kind === 'headings') return faults;
  for (const { start, sentence } of splitSentences(text)) {
    if (kind === 'labels' && !/[.!]["”’)]*$/.test(sentence)) continue;
    const fault = SENTENCES.find(({ pattern }) => pattern.test(sentence));
    const words = sentence.split(/\s+/).slice(0, 5).join(' ');
    if (fault) faults.push({ start, end: start + 1, message: `"${words} ...": ${fault.say}` });
  }
  return faults;
}

/**
 * The text of a node. Everything except words is blanked out, so that offsets stay the same.
 * @param {any} node of textlint
 * @returns {string}
 */
function textOf(node) {
  if (node.type === 'Str') return node.value.length === node.raw.length ? node.value : node.raw;
  if (node.type === 'Code') return 'X'.repeat(node.raw.length);
  if (!node.children) return ' '.repeat(node.raw.length);
  let text = '';
  for (const child of node.children) {
    text = text.padEnd(child.range[0] - node.range[0]) + textOf(child);
  }
  return text.padEnd(node.raw.length);
}

/** @param {any} context of textlint */
export function proseRule({ Syntax, RuleError, report, locator }) {
  const check = (/** @type {'sentences' | 'labels' | 'headings'} */ kind) => (/** @type {any} */ node) => {
    const text = node.type === 'Yaml' ? maskCode(node.raw.replace(/^\w+:/gm, blankKey)) : textOf(node);
    for (const { start, end, message } of judge(text, node.label ? 'labels' : kind)) {
      report(node, new RuleError(message, { padding: locator.range([start, end]) }));
    }
  };
  return {
    [Syntax.Paragraph]: check('sentences'),
    [Syntax.Header]: check('headings'),
    [Syntax.TableCell]: check('labels'),
    Yaml: check('labels'),
  };
}

const blankKey = (/** @type {string} */ key) => ' '.repeat(key.length);
