// Learns the right results from a service that is taken to be healthy.

/**
 * @typedef {import('../../../../gateway/harness/client.mjs').OnResult} OnResult
 */

/**
 * An error would be learned as the right result of a valid request, and a service that never works would pass.
 * @param {{ learn: OnResult }} truth
 * @param {readonly string[]} images valid ones, with a face
 * @returns {OnResult}
 * @throws Error where a request with valid images does not succeed
 */
export const learnFrom = (truth, images) => (operation, part, result) => {
  const sent = Object.values(JSON.parse(operation.body.toString()));
  if (result.status !== 200 && sent.every((image) => images.includes(String(image)))) {
    throw new Error(`A valid request to ${operation.path} has the status ${result.status}.`);
  }
  truth.learn(operation, part, result);
};
