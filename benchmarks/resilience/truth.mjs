/** What is right: the answer that each question had before anything failed, and whether a later one says the same. */

/** @typedef {{ status: number, numbers: number[] }} Verdict */
/** By question. */
/** @typedef {Map<string, Verdict>} Truth */

/** Scores of one picture differ in their last digits with the batch that it was computed in. */
const TOLERANCE = 0.02;

/** What the bodies of answers say, as numbers: counts, similarities, confidences. */
/** @param {string} question @param {any} data @returns {number[]} */
export function numbersOf(question, data) {
  if (question.startsWith('detect ')) return [data.faceCount];
  if (question.startsWith('moderate '))
    return data.detectedElements.map((/** @type {any} */ { confidence }) => confidence);
  const similarities = data.matchedFaces.map((/** @type {any} */ { similarity }) => similarity);
  return [data.matchedFaces.length, data.unmatchedFaces.length, ...similarities];
}

/** @param {Verdict} expected @param {Verdict} seen */
export const agree = (expected, seen) =>
  expected.status === seen.status &&
  expected.numbers.length === seen.numbers.length &&
  expected.numbers.every((number, i) => Math.abs(number - seen.numbers[i]) <= TOLERANCE);

/**
 * Asks each question once, of a service that is well.
 * @param {import('./client.mjs').Client} client
 * @param {readonly import('./client.mjs').Operation[]} questions of one part each
 * @returns {Promise<Truth>}
 */
export async function learn(client, questions) {
  /** @type {Truth} */
  const truth = new Map();
  for (const operation of questions) {
    const [question] = operation.questions;
    const { status, body } = await ask(client, operation);
    truth.set(question, { status, numbers: status === 200 ? numbersOf(question, body.data) : [] });
  }
  return truth;
}

/** A machine that does much else answers late now and then; a service that never answers is not well. */
const TRIES = 5;

/** @param {import('./client.mjs').Client} client @param {import('./client.mjs').Operation} operation */
async function ask(client, operation) {
  for (let left = TRIES; ; left--) {
    const answer = await client.send(client.urls[0], operation);
    if (answer.status < 500) return answer;
    if (left === 1) throw new Error(`A service that should be well answered ${answer.status} ${TRIES} times`);
  }
}
