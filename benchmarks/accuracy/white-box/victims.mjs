/**
 * The people whom attackers with full knowledge of the check imitate: portraits of LFW. The probe for smeared faces was
 * trained on none of these people.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lfwImages, material } from '../../lib/material.mjs';
import { personFrom, readRgb } from '../rendered-people.cjs';
import { isHeldOut } from '../smear.mjs';

/** The least turned portrait is a front up to this yaw and pitch, in degrees. */
const FRONT = { yaw: 10, pitch: 15 };
/** Portraits from the side, in degrees. */
const SIDE = { from: 18, to: 42, pitch: 18 };
/** Yaw in degrees that a turn reaches, and so the best one for a portrait from the side. */
const TURN = 30;

/** @typedef {import('../../../gateway/test/liveness/people/people').Person} Person */
/** @typedef {import('../../../gateway/test/liveness/people/photo-pair').PhotoPair} PhotoPair */
/** @typedef {{ path: string, points: any, pose: { yaw: number, pitch: number, roll: number } }} Portrait */

/**
 * @param {{ read: (encoded: Buffer) => Promise<any> }} faces
 * @returns {Promise<{ fronts: Person[], pairs: PhotoPair[] }>} everyone with a portrait from the front, and those who also have
 *   one from the side
 * @throws Skip without LFW
 */
export async function findVictims(faces) {
  const folder = material('lfw/images');
  const fronts = [];
  const pairs = [];
  for (const images of lfwImages().filter((_, person) => isHeldOut(person))) {
    /** @type {Portrait[]} */
    const portraits = [];
    for (const name of images) {
      const path = join(folder, name);
      const face = await faces.read(readFileSync(path));
      if (face) portraits.push({ path, points: face.points, pose: face.pose });
    }
    const [front] = portraits
      .filter(({ pose }) => Math.abs(pose.yaw) <= FRONT.yaw && Math.abs(pose.pitch) <= FRONT.pitch)
      .sort((a, b) => turnOf(a) - turnOf(b));
    if (!front) continue;
    const person = await personOf(front, false);
    fronts.push(person);
    const sides = portraits.filter(isSide).sort((a, b) => distanceOf(a) - distanceOf(b));
    const [side] = sides;
    if (side) pairs.push({ front: person, sides: [await personOf(side, true)] });
  }
  return { fronts, pairs };
}

const turnOf = ({ pose }) => Math.hypot(pose.yaw, pose.pitch);
const isSide = ({ pose: { yaw, pitch } }) =>
  Math.abs(yaw) >= SIDE.from && Math.abs(yaw) <= SIDE.to && Math.abs(pitch) <= SIDE.pitch;
const distanceOf = ({ pose: { yaw, pitch } }) => Math.abs(Math.abs(yaw) - TURN) + Math.abs(pitch) / 2;

/** @param {Portrait} portrait @param {boolean} mirrored whether the visible half of the head serves for the other one */
async function personOf({ path, points, pose }, mirrored) {
  const name = path.replace(/^.*\/|\.\w+$/g, '');
  return personFrom(await readRgb(path), { points, pose }, { name, mirrored });
}
