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
  if (question.startsWith('moderate ')) return data.detectedElements.map(({ confidence }) => confidence);
  const similarities = data.matchedFaces.map(({ similarity }) => similarity);
  return [data.matchedFaces.length, data.unmatchedFaces.length, ...similarities];
}

/** @param {Verdict} expected @param {Verdict} seen */
const agree = (expected, seen) =>
  expected.status === seen.status &&
  expected.numbers.length === seen.numbers.length &&
  expected.numbers.every((number, i) => Math.abs(number - seen.numbers[i]) <= TOLERANCE);

/** Results of a healthy service by question, and the wrong ones that come later. */
export class Truth {
  /** @type {Map<string, Verdict>} */
  #verdicts = new Map();

  /** Learns the right result of a part. @type {import('../../deploy/local/harness/index.mjs').OnResult} */
  learn = (operation, part, result) => {
    this.#verdicts.set(questionOf(operation, part), verdictOf(operation, part, result));
  };

  /**
   * @param {string[]} wrong takes a description of each wrong result
   * @returns {import('../../deploy/local/harness/index.mjs').OnResult}
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

const questionOf = (operation, part) => operation.questions[part];

/** @returns {Verdict} */
const verdictOf = (operation, part, result) => ({
  status: result.status,
  numbers: result.status === 200 ? numbersOf(questionOf(operation, part), result.data) : [],
});
