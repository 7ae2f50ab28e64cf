/** What tells one face from another, and one moment of it from the next. Lengths in heads, as in head.mjs. */

/**
 * What makes a person. Lengths as factors of an average, 1; tones 0 to 1.
 * @typedef {object} Person
 * @property {number} seed of the hair's strands
 * @property {number} width
 * @property {number} jaw
 * @property {number} chin
 * @property {number} cheeks
 * @property {number} brow how far the ridge stands out
 * @property {number} eyeDistance
 * @property {number} eyeSize
 * @property {number} eyeSlant outer corner above the inner one, in heads
 * @property {number} noseLength
 * @property {number} noseWidth
 * @property {number} noseHeight
 * @property {number} mouthWidth
 * @property {number} lips
 * @property {number} skin
 * @property {number} hair
 * @property {number} browHeight
 * @property {number} browWeight
 * @property {number} hairline height at the middle of the forehead
 * @property {number} parting where the hair parts, -1 to 1
 * @property {number} volume of the hair
 * @property {number} length how far down the hair falls at the sides: 0 to the ears, 1 to the chin
 * @property {number} beard 0 to 1
 */

/**
 * How a face is moved: -1 to 1.
 * @typedef {object} Expression
 * @property {number} [smile]
 * @property {number} [open] of the mouth, 0 to 1
 * @property {number} [brows] raised or lowered
 */

/** @typedef {ReturnType<typeof measure>} Measures */

/**
 * Where things lie in a face. @param {Person} person @param {Expression} expression
 */
export function measure(person, { smile = 0, open = 0, brows = 0 }) {
  const tip = -0.36 * person.noseLength;
  return {
    person,
    smile,
    brows,
    eyeX: 0.3 * person.eyeDistance,
    eyeW: 0.135 * person.eyeSize,
    eyeH: 0.058 * person.eyeSize * (1 - 0.22 * Math.max(0, smile) + 0.15 * Math.max(0, brows)),
    browY: 0.165 * person.browHeight + 0.04 * brows,
    /** Of the nose. */
    tip,
    base: tip - 0.055,
    mouthY: -0.615 - 0.04 * (person.noseLength - 1),
    /** From its middle to its corner. */
    mouthW: 0.235 * person.mouthWidth * (1 + 0.16 * smile),
    /** Half of what lies between the lips. */
    gap: 0.07 * open,
  };
}

/** Height of the line between the lips. @param {Measures} face @param {number} x */
export const mouthLine = ({ mouthY, mouthW, smile }, x) =>
  mouthY + (0.3 + smile) * 0.072 * (Math.min(1.3, Math.abs(x) / mouthW) ** 2 - 0.35);
