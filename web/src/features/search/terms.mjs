/** The terms of texts and queries. The build of the index and the search in the browser share them. */
import { stemmer } from 'stemmer';

/** Words that say nothing about the subject of a question. */
const IGNORED = new Set(
  `a an and any are as at be by can could do does for from get has have how i if in into is it its me my need never no
  not now of on one or our out so some somebody than that the their them there they this to up us use used was we what
  when where whether which while who why will with without would you your`.split(/\s+/),
);
const SEPARATORS = /[\s\p{Z}\p{P}\p{S}]+/u;
/** The border between two words of a name such as requestId or PresenzaGatewayAbsent. */
const HUMP = /(?<=\p{Ll})(?=\p{Lu})/u;

/**
 * The stems of a text's words, without those that say nothing: "Which keys roll?" has the terms key and roll. A
 * name such as requestId is a term, and so are the words that it consists of.
 * @param {string} text
 */
export const termsOf = (text) =>
  wordsOf(text)
    .filter((word) => !IGNORED.has(word))
    .map(stemmer);

/** The stems of all words. @param {string} text */
export const allTermsOf = (text) => wordsOf(text).map(stemmer);

/** @param {string} text */
const wordsOf = (text) =>
  text
    .split(SEPARATORS)
    .flatMap((word) => [...new Set([word, ...word.split(HUMP)])])
    .map((word) => word.toLowerCase())
    .filter(Boolean);

/** How MiniSearch reads texts into its index. */
export const INDEX_OPTIONS = {
  fields: ['heading', 'title', 'text'],
  storeFields: ['heading', 'title', 'text', 'group', 'url'],
  tokenize: termsOf,
  processTerm: (/** @type {string} */ term) => term,
};
