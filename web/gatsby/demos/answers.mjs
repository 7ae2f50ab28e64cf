/** What the demos ask the engine, and its answers in the fields of the public API. */

/** @typedef {import('./pictures/index.mjs').Picture} Picture */
/** @typedef {Awaited<ReturnType<typeof askAll>>} Answers */

/**
 * Portraits are compared two by two, the group is searched for faces, things are moderated.
 * @param {readonly Picture[]} pictures
 * @param {import('./engine.mjs').Ask} ask
 */
export async function askAll(pictures, ask) {
  const of = (/** @type {Picture['kind']} */ kind) => pictures.filter((picture) => picture.kind === kind);
  const pairs = of('portrait').flatMap((source, i, all) =>
    all.slice(i + 1).map((target) => ({ source, target })),
  );
  const [similarities, faces, elements] = await Promise.all([
    Promise.all(
      pairs.map(async ({ source, target }) => {
        const { targets } = await ask('compare', [source.bytes, target.bytes]);
        return { source: source.name, target: target.name, similarity: round(targets[0].similarity) };
      }),
    ),
    byName(of('group'), async ({ bytes }) =>
      rounded((await ask('detect', [bytes], { 'x-attributes': 'all' })).faces),
    ),
    byName(of('thing'), async ({ bytes }) => rounded((await ask('moderate', [bytes])).elements)),
  ]);
  return { similarities, faces, elements };
}

/** @template T @param {Picture[]} pictures @param {(picture: Picture) => Promise<T>} ask @returns {Promise<Record<string, T>>} */
const byName = async (pictures, ask) =>
  Object.fromEntries(await Promise.all(pictures.map(async (picture) => [picture.name, await ask(picture)])));

/** Four decimals: finer than a drawing shows. @param {number} value */
const round = (value) => Math.round(value * 1e4) / 1e4;

/** The same value with every number in it rounded. @template T @param {T} value @returns {T} */
function rounded(value) {
  return JSON.parse(
    JSON.stringify(value, (_, member) => (typeof member === 'number' ? round(member) : member)),
  );
}
