/** Prototypes over features made by hand: clusters around known middles. */
import {
  type Background,
  confidenceIn,
  decodePrototypes,
  encodePrototype,
  makePrototype,
  type Prototype,
  prototypeBytes,
  relativeTo,
} from './prototype';

const length = 64;
const background: Background = {
  version: 0xfeedbeef,
  mean: new Float32Array(length).fill(0.5),
  deviation: new Float32Array(length).fill(0.2),
  spread: 0.26,
};

/** Reproducible values from -1 to 1 (Numerical Recipes' linear congruential generator). */
function noise(seed: number): () => number {
  let state = Math.imul(seed, 2654435761);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** Features of an image of a kind: the kind's own deviation from the background, and the image's. */
function features(kind: number, image: number, imageSpread = 0.15): Float32Array {
  const [ofKind, ofImage] = [noise(1000 * kind + 7), noise(1000 * kind + 31 * image + 13)];
  return Float32Array.from({ length }, () => 0.5 + 0.2 * ofKind() + imageSpread * ofImage());
}
const images = (kind: number, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => features(kind, from + i));

function prototypeOf(examples: readonly Float32Array[]): Prototype {
  const made = makePrototype(examples, background);
  if (!made.ok) throw new Error('refused');
  return made.prototype;
}
const confidence = (prototype: Prototype, image: Float32Array) =>
  confidenceIn(prototype, relativeTo(background, image));

test.each([5, 10, 64])('%i examples: recognizes new images of the kind, and no others', (count) => {
  const prototype = prototypeOf(images(1, 0, count));
  for (const image of images(1, 100, 120)) expect(confidence(prototype, image)).toBeGreaterThan(0.5);
  for (const kind of [2, 3, 4]) {
    for (const image of images(kind, 0, 20)) expect(confidence(prototype, image)).toBeLessThan(0.5);
  }
});

test('an image equal to the background belongs to no category', () => {
  expect(confidence(prototypeOf(images(1, 0, 8)), background.mean)).toBeLessThan(0.2);
});

test('lists an example of something else', () => {
  const examples = [...images(1, 0, 6), features(2, 0), ...images(1, 6, 9)];
  expect(makePrototype(examples, background)).toMatchObject({ ok: true, outliers: [6] });
  expect(makePrototype(images(1, 0, 9), background)).toMatchObject({ ok: true, outliers: [] });
});

test('makes no prototype of examples that have nothing in common', () => {
  const mixed = [1, 2, 3, 4, 5, 6].map((kind) => features(kind, 0));
  expect(makePrototype(mixed, background).ok).toBe(false);
  // An image equal to the background has no direction.
  expect(makePrototype(Array(5).fill(background.mean), background).ok).toBe(false);
});

test('encodes and decodes several prototypes without loss', () => {
  const made = [1, 2].map((kind) => prototypeOf(images(kind, 0, 5)));
  const bytes = Buffer.concat(made.map((prototype) => encodePrototype(prototype, background.version)));
  expect(bytes).toHaveLength(2 * prototypeBytes(length));
  // The bytes start at an odd place of a larger buffer, as those of a request do.
  const shifted = Buffer.concat([Buffer.from('x'), bytes]).subarray(1);
  const read = decodePrototypes(shifted, background);
  read.forEach((prototype, i) => {
    const image = features(i + 1, 200);
    expect(confidence(prototype, image)).toBeCloseTo(confidence(made[i] as Prototype, image), 5);
  });
  expect(decodePrototypes(new Uint8Array(0), background)).toEqual([]);
});

test('refuses bytes that are not a prototype, and prototypes of another model', () => {
  const bytes = encodePrototype(prototypeOf(images(1, 0, 5)), background.version);
  expect(() => decodePrototypes(bytes.subarray(1), background)).toThrow(`${bytes.length} bytes`);
  expect(() => decodePrototypes(bytes, { ...background, version: 1 })).toThrow('another model');
});
