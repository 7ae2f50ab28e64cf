/** Portraits of one person, and of a group. */
import { ear, neck, shoulders } from './body.mjs';
import { head } from './head.mjs';
import { people } from './people.mjs';
import { render } from './raster.mjs';

/**
 * @typedef {object} Sitting how a person is drawn once
 * @property {keyof typeof people} person
 * @property {import('./raster.mjs').Pose} [pose]
 * @property {import('./person.mjs').Expression} [expression]
 * @property {import('./raster.mjs').Light} [light]
 * @property {number} [cloth] tone of the clothes
 */

/** @type {import('./raster.mjs').Light} */
const DAYLIGHT = { from: [-0.5, 0.6, 0.9], key: 0.85, ambient: 0.32 };

/** @param {import('./raster.mjs').Canvas} target @param {Sitting} sitting @param {import('./raster.mjs').View} view */
export function paintPerson(
  target,
  { person: name, pose, expression, light = DAYLIGHT, cloth = 0.35 },
  view,
) {
  const person = people[name];
  const turned = [head(person, expression), ear(person, 1), ear(person, -1)];
  for (const surface of turned) render(target, surface, { pose, view, light });
  for (const surface of [neck(person), shoulders(cloth)]) render(target, surface, { view, light });
}

/** Another day: other light, the head turned, another face. @type {readonly Sitting[]} */
export const sittings = /** @type {const} */ (['ada', 'ben']).flatMap((person) => [
  { person },
  {
    person,
    pose: { yaw: -22, pitch: 2, roll: 3 },
    expression: { smile: 0.9 },
    light: { from: [0.8, 0.4, 0.8], key: 0.9, ambient: 0.25 },
    cloth: 0.6,
  },
  {
    person,
    pose: { yaw: 16, pitch: -5, roll: -4 },
    expression: { smile: 0.5, brows: 0.6 },
    light: { from: [-0.9, 0.3, 0.5], key: 1, ambient: 0.2 },
    cloth: 0.2,
  },
]);

/**
 * In pixels of a picture 2200 wide and 1240 high.
 * @type {readonly (Sitting & { view: import('./raster.mjs').View })[]}
 */
export const group = [
  {
    person: 'cleo',
    view: { x: 330, y: 400, scale: 190 },
    pose: { yaw: 14, roll: -3 },
    expression: { smile: 1 },
    cloth: 0.7,
  },
  {
    person: 'dov',
    view: { x: 820, y: 330, scale: 190 },
    pose: { yaw: -10 },
    expression: { smile: 0.3, brows: -0.5 },
    cloth: 0.25,
  },
  {
    person: 'eli',
    view: { x: 1350, y: 350, scale: 185, nearer: 0.5 },
    pose: { yaw: 4, pitch: 4 },
    expression: { open: 1, brows: 1 },
    cloth: 0.5,
  },
  { person: 'ben', view: { x: 1850, y: 390, scale: 190 }, pose: { yaw: -18, roll: 4 }, cloth: 0.3 },
  {
    person: 'fay',
    view: { x: 570, y: 820, scale: 215, nearer: 9 },
    pose: { yaw: 8, pitch: 3 },
    expression: { smile: 1, open: 0.6 },
    cloth: 0.45,
  },
  {
    person: 'gus',
    view: { x: 1100, y: 850, scale: 220, nearer: 10 },
    pose: { yaw: -6, roll: -5 },
    expression: { smile: 0.7 },
    cloth: 0.65,
  },
  {
    person: 'ada',
    view: { x: 1640, y: 830, scale: 215, nearer: 9 },
    pose: { yaw: -24, pitch: -2 },
    expression: { smile: 0.4 },
    cloth: 0.2,
  },
];
