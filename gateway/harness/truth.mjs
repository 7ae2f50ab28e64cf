/** Learns the right result of each request from the healthy service, and compares later results with it. */

/** @typedef {{ status: number, numbers: number[] }} Verdict */

/** The scores of an image vary slightly with the batch that it is in. */
const TOLERANCE = 0.02;

/**
 * Counts, similarities and confidences of a result.
 * @param {string} question operation and images
 * @param {any} data
 * @returns {number[]}
 */
function numbersOf(question, data) {
  if (question.startsWith('detect ')) return [data.faceCount];
  if (question.startsWith('moderate '))
    return data.detectedElements.map((/** @type {any} */ { confidence }) => confidence);
  const similarities = data.matchedFaces.map((/** @type {any} */ { similarity }) => similarity);
  return [data.matchedFaces.length, data.unmatchedFaces.length, ...similarities];
}

/** @param {Verdict} expected @param {Verdict} seen */
const agree = (expected, seen) =>
  expected.status === seen.status &&
  expected.numbers.length === seen.numbers.length &&
  expected.numbers.every((number, i) => Math.abs(number - Number(seen.numbers[i])) <= TOLERANCE);

/** Results of a healthy service by question, and the wrong ones that come later. */
export class Truth {
  /** @type {Map<string, Verdict>} */
  #verdicts;

  /** @param {Iterable<readonly [string, Verdict]>} [known] the results that another process learned */
  constructor(known = []) {
    this.#verdicts = new Map(known);
  }

  /** The right results so far, for another process. */
  get known() {
    return [...this.#verdicts];
  }

  /** Learns the right result of a part. @type {import('./index.mjs').OnResult} */
  learn = (operation, part, result) => {
    this.#verdicts.set(questionOf(operation, part), verdictOf(operation, part, result));
  };

  /**
   * @param {string[]} wrong takes a description of each wrong result
   * @returns {import('./index.mjs').OnResult}
   */
  check = (wrong) => (operation, part, result) => {
    const expected = this.#verdicts.get(questionOf(operation, part));
    const seen = verdictOf(operation, part, result);
    if (expected && !agree(expected, seen))
      wrong.push(
        `${questionOf(operation, part).split(' ')[0]}: ${seen.status} [${seen.numbers}], not ${expected.status} [${expected.numbers}]`,
      );
  };
}

/** @typedef {Parameters<import('./index.mjs').OnResult>} Result */

/** @param {Result[0]} operation one of operations.mjs @param {number} part @returns {string} */
const questionOf = (operation, part) =>
  /** @type {import('./operations.mjs').Operation} */ (operation).questions[part] ?? '';

/** @param {Result[0]} operation @param {number} part @param {Result[2]} result @returns {Verdict} */
const verdictOf = (operation, part, result) => ({
  status: result.status,
  numbers: result.status === 200 ? numbersOf(questionOf(operation, part), result.data) : [],
});
