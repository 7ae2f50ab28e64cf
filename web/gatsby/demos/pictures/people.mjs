/** The people of the demos. None exists: each is a set of proportions, and so are their faces' movements. */

/** @typedef {import('./head.mjs').Person} Person */

/** @type {Person} */
const average = {
  seed: 1,
  width: 1,
  jaw: 1,
  chin: 1,
  cheeks: 1,
  brow: 1,
  eyeDistance: 1,
  eyeSize: 1,
  eyeSlant: 0.01,
  noseLength: 1,
  noseWidth: 1,
  noseHeight: 1,
  mouthWidth: 1,
  lips: 1,
  skin: 0.8,
  hair: 0.16,
  browHeight: 1,
  browWeight: 1,
  hairline: 0.62,
  parting: 0.35,
  volume: 1,
  length: 0.1,
  beard: 0,
};

/** @satisfies {Record<string, Person>} */
export const people = {
  ada: { ...average, seed: 1.4, width: 1.03, chin: 1.3, cheeks: 1.5, brow: 0.41, eyeDistance: 1.1, eyeSlant: 0.06, noseLength: 1.22, noseWidth: 0.7, noseHeight: 1.16, mouthWidth: 1.09, lips: 1.2, skin: 0.74, hair: 0.41, browHeight: 1.21, browWeight: 0.83, hairline: 0.48, parting: 0.19, volume: 0.64, length: 0.76 },
  ben: { ...average, seed: 3.91, width: 1.07, jaw: 0.8, chin: 0.84, cheeks: 0.5, brow: 0.3, eyeDistance: 0.9, eyeSize: 1.22, eyeSlant: 0.04, noseLength: 0.8, noseWidth: 1.47, mouthWidth: 1.18, lips: 1.07, skin: 0.78, hair: 0.43, browWeight: 1.8, hairline: 0.74, parting: 0.12, volume: 1.51, length: 0 },
  cleo: { ...average, seed: 2.2, width: 0.95, jaw: 0.9, eyeSize: 1.2, noseWidth: 0.85, lips: 1.35, skin: 0.6, hair: 0.1, hairline: 0.66, volume: 1.6, length: 0.85 },
  dov: { ...average, seed: 5.1, jaw: 1.16, chin: 1.2, brow: 1.6, eyeSize: 0.85, noseWidth: 1.2, noseHeight: 1.25, skin: 0.72, hair: 0.12, browWeight: 1.5, hairline: 0.74, volume: 0.5, beard: 0.85 },
  eli: { ...average, seed: 7.3, width: 0.93, cheeks: 0.7, noseLength: 1.1, noseWidth: 0.8, mouthWidth: 0.9, lips: 0.7, skin: 0.9, hair: 0.5, hairline: 0.7, parting: -0.4, volume: 0.8 },
  fay: { ...average, seed: 4.4, width: 1.05, cheeks: 1.4, eyeDistance: 1.06, eyeSize: 1.1, noseLength: 0.85, noseWidth: 1.1, lips: 1.2, skin: 0.84, hair: 0.2, hairline: 0.5, parting: 0, volume: 0.7, length: 0.7 },
  gus: { ...average, seed: 8.8, width: 1.08, jaw: 1.12, brow: 1.3, noseWidth: 1.35, lips: 1.3, skin: 0.5, hair: 0.07, browWeight: 1.3, hairline: 0.72, volume: 0.45 },
};
