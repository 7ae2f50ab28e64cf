/**
 * Photos of people with their ages, that the age model was not trained on.
 *
 * `years`: public figures in LFW, one photo each. LFW comes from the news of 2002 and 2003, so an age is right within about
 * a year. The model knows some of these people from other photos: its training data has sets of celebrities.
 *
 * `groups`: a sample of FairFace (CC BY 4.0) with 30 photos for each of nine age groups and both sexes. These are the files
 * of the folder `fairface` of github.com/thlaiquid-ai/demographic-test-images, commit
 * 3225e93be7349143e5496eda971c65969efe7c35, in the folder `ages` of BENCH_DATA. People judged age and sex from the
 * photos.
 *
 * UTKFace, FG-NET, IMDB-Wiki and APPA-REAL (Chalearn) would flatter the model, because it was trained on them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lfwImage, lfwPeople, material } from '../lib/material.mjs';

const { years } = JSON.parse(readFileSync(new URL('birth-years.json', import.meta.url), 'utf8'));
/** The year in which most photos of LFW were taken. */
const LFW_YEAR = 2003;
/** Bounds of the age groups of public figures, who are mostly of middle age. */
const BOUNDS = [30, 45, 60];

/** A photo with the ages that its label allows. @typedef {{ read: () => Buffer, group: string, from: number, to: number, sex?: string | undefined }} Labeled */

/** @returns {Labeled[]} @throws Skip without LFW */
export function publicFigures() {
  return lfwPeople().flatMap((name) => {
    const born = years[name.replace(/_\d+\.jpg$/, '')];
    if (born === undefined) return [];
    const age = LFW_YEAR - born;
    return [{ read: () => lfwImage(name), group: groupOf(age), from: age, to: age }];
  });
}

/** @param {number} age */
export function groupOf(age) {
  const place = BOUNDS.filter((bound) => age >= bound).length;
  if (place === 0) return `under ${BOUNDS[0]}`;
  if (place === BOUNDS.length) return `${BOUNDS.at(-1)} and over`;
  return `${BOUNDS[place - 1]} to ${Number(BOUNDS[place]) - 1}`;
}

/** @returns {Labeled[]} @throws Skip without the photos */
export function fairFace() {
  const folder = material('ages');
  const labels = JSON.parse(readFileSync(join(folder, 'ground_truth.json'), 'utf8'));
  return labels.map(({ filename, age, gender }) => ({
    read: () => readFileSync(join(folder, filename)),
    ...groupFrom(age),
    sex: gender.toLowerCase(),
  }));
}

/** @param {string} label such as `20-29` or `70+` */
export function groupFrom(label) {
  const [from, to] = label.split(/[-+]/).map(Number);
  return to ? { group: `${from} to ${to}`, from, to } : { group: `${from} and over`, from, to: Infinity };
}
