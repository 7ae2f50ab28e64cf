/** Requests of clients while parts of the service fail: single operations and batches, some with broken images. */

/**
 * @typedef {import('./index.mjs').Operation & { questions: string[] }} Operation `questions`: equal
 *   for parts with equal results
 * @typedef {ReturnType<typeof import('./random.mjs').randomFrom>} Random
 */

/** @typedef {{ operation: 'detect' | 'compare' | 'moderate', body: Record<string, string> }} Part */

/** Products of `products.json` by operation. */
const products = { detect: 'faceDetection', compare: 'faceComparison', moderate: 'imageModeration' };

/** Has the first bytes of a JPEG and no image: the inference tier rejects it, so it is never billed. */
const broken = `data:image/jpeg;base64,${Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1, 2, 3]).toString('base64')}`;

/**
 * @param {readonly string[]} images
 * @param {Random} random
 * @param {string} prefix of the idempotency keys
 * @returns {() => Operation}
 */
export function operations(images, random, prefix) {
  let number = 0;
  const image = () => (random.next() < 0.1 ? broken : random.pick(images));
  /** @returns {Part} */
  const part = () => {
    const operation = random.pick(/** @type {const} */ (['detect', 'compare', 'moderate']));
    return operation === 'compare'
      ? { operation, body: { sourceImage: image(), targetImage: image() } }
      : { operation, body: { image: image() } };
  };
  return () => {
    const key = `bench-${prefix}-${number++}`;
    return random.next() < 0.75
      ? single(key, part())
      : batch(key, Array.from({ length: random.whole(2, 7) }, part));
  };
}

/** @param {string} key @param {Part} part @returns {Operation} */
const single = (key, { operation, body }) => ({
  key,
  path: `/${operation}`,
  body: Buffer.from(JSON.stringify(body)),
  products: [products[operation]],
  questions: [questionOf(operation, body)],
});

/** @param {string} key @param {readonly Part[]} parts @returns {Operation} */
const batch = (key, parts) => ({
  key,
  path: '/batch',
  body: Buffer.from(JSON.stringify({ operations: parts })),
  products: parts.map(({ operation }) => products[operation]),
  questions: parts.map(({ operation, body }) => questionOf(operation, body)),
});

/** The length and the end of an image distinguish it from the few others. */
const nameOf = (/** @type {string} */ image) => `${image.length}${image.slice(-24)}`;
/** @param {string} operation @param {Part['body']} body */
const questionOf = (operation, body) => `${operation} ${Object.values(body).map(nameOf).join(' ')}`;

/** One of each possible operation. @param {readonly string[]} images @returns {Operation[]} */
export function everyQuestion(images) {
  const all = [...images, broken];
  /** @type {Part[]} */
  const parts = [
    ...all.map((image) => ({ operation: /** @type {const} */ ('detect'), body: { image } })),
    ...all.map((image) => ({ operation: /** @type {const} */ ('moderate'), body: { image } })),
    ...all.flatMap((sourceImage) =>
      all.map((targetImage) => ({
        operation: /** @type {const} */ ('compare'),
        body: { sourceImage, targetImage },
      })),
    ),
  ];
  return parts.map((part, i) => single(`truth-${i}`, part));
}
