/** Runs the demo images through the engine. Results have the fields of the public API. */

/** @typedef {import('./images.mjs').DemoImage} DemoImage */
/** @typedef {Awaited<ReturnType<typeof analyzeAll>>} Results */

/**
 * Compares the portraits in pairs, detects the faces of portraits and the group, and moderates the objects.
 * @param {readonly DemoImage[]} images
 * @param {import('./engine.mjs').Ask} ask
 */
export async function analyzeAll(images, ask) {
  const imagesOf = (/** @type {DemoImage['kind']} */ kind) => images.filter((image) => image.kind === kind);
  const pairs = imagesOf('portrait').flatMap((source, i, all) =>
    all.slice(i + 1).map((target) => ({ source, target })),
  );
  const [comparisons, faces, elements] = await Promise.all([
    Promise.all(pairs.map(({ source, target }) => ask('compare', [source.bytes, target.bytes]))),
    byName([...imagesOf('portrait'), ...imagesOf('group')], async ({ bytes }) =>
      rounded((await ask('detect', [bytes], { 'x-attributes': 'all' })).faces),
    ),
    byName(imagesOf('object'), async ({ bytes }) => rounded((await ask('moderate', [bytes])).elements)),
  ]);
  return {
    similarities: pairs.map(({ source, target }, i) => ({
      source: source.name,
      target: target.name,
      similarity: round(comparisons[i].targets[0].similarity),
    })),
    /** @type {Record<string, string[]>} */
    warnings: Object.fromEntries(
      pairs.flatMap(({ source, target }, i) => [
        [source.name, comparisons[i].source.warnings],
        [target.name, comparisons[i].targets[0].warnings],
      ]),
    ),
    faces,
    elements,
  };
}

/**
 * @template T
 * @param {DemoImage[]} images
 * @param {(image: DemoImage) => Promise<T>} analyze
 * @returns {Promise<Record<string, T>>}
 */
const byName = async (images, analyze) =>
  Object.fromEntries(await Promise.all(images.map(async (image) => [image.name, await analyze(image)])));

/** Four decimals: the demos show at most two. @param {number} value */
const round = (value) => Math.round(value * 1e4) / 1e4;

/** The same value with every number in it rounded. @template T @param {T} value @returns {T} */
function rounded(value) {
  return JSON.parse(
    JSON.stringify(value, (_, member) => (typeof member === 'number' ? round(member) : member)),
  );
}
