// Applies the rules of phrases.yaml to a text.

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

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
 * @param {import('./texts.mjs').Kind} kind a label with a full stop counts as a sentence
 * @returns {{ start: number, end: number, message: string }[]}
 */
export function judge(text, kind) {
  const faults = PHRASES.flatMap(({ pattern, say }) =>
    [...text.matchAll(pattern)].map(({ 0: phrase, index }) => ({
      start: index,
      end: index + phrase.length,
      message: `"${phrase.replace(/\s+/g, ' ')}": ${say}`,
    })),
  );
  if (kind === 'headings') return faults;
  for (const { start, sentence } of splitSentences(text)) {
    if (kind === 'labels' && !/[.!]["”’)]*$/.test(sentence)) continue;
    const fault = SENTENCES.find(({ pattern }) => pattern.test(sentence));
    const beginning = sentence.split(/\s+/).slice(0, 5).join(' ');
    if (fault) faults.push({ start, end: start + 1, message: `"${beginning} ...": ${fault.say}` });
  }
  return faults;
}
