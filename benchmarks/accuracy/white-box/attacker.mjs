/** An attacker who knows the code: his models, his photos, and his attempts against the guidance and the verdict. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprinter } from '../../../gateway/dist/services/liveness/verdict/fingerprints.js';
import { isTurned } from '../../../inference/dist/pipeline/liveness/smear.js';
import { Client, compareJob, framesJob } from '../../lib/client.mjs';
import { ROOT } from '../../lib/paths.mjs';
import { facesOf, judgedAttempt } from '../judged-attempt.mjs';
import { openModels } from '../probes/models.mjs';
import { jpegOf, loadPeople } from '../rendered-people.cjs';
import { whiteBoxSpecies } from './attacks.mjs';
import { smearTarget } from './perturbation.mjs';
import { findVictims } from './victims.mjs';

/** @typedef {import('./perturbation.mjs').Effort} Effort */
/** @typedef {import('../species-rates.mjs').Level} Level */

/** A step that the guidance blocks for this long ends the attempt, which then counts as rejected. */
const patienceMs = 15_000;
/** Similarity from which on the service calls two faces a match. */
const MATCH = 0.8;

const probe = JSON.parse(
  readFileSync(join(ROOT, 'inference/dist/pipeline/liveness/smear-probe.json'), 'utf8'),
);
/** Every model of the verdict that can refuse a frame for what it looks like. */
const targets = [smearTarget(probe, 0, isTurned)];

/** Conditions of the patterns. */
export const efforts = { amplitude: 8, steps: 14, samples: 4, noise: 2 };

/** @param {typeof efforts} conditions @returns {Effort} */
export const effortOf = ({ amplitude, steps, samples, noise }) => ({ amplitude, steps, samples, noise });

/** @param {string} tierUrl @param {Effort} effort */
export async function openAttacker(tierUrl, effort) {
  const client = new Client(tierUrl);
  const faces = await openModels();
  const casts = { ...(await findVictims(faces)), standIns: await loadPeople() };
  const means = { faces, targets, effort, detect: facesOf(client) };

  /** An attack with the prompts and colors of a session. @param {string} kind @param {{ seed: number, level: Level }} session */
  async function prepare(kind, session) {
    const species = whiteBoxSpecies.find(({ name }) => name === kind);
    if (!species) throw new Error(`There is no attack of the kind ${kind}.`);
    return species.present(casts[species.cast], session, means);
  }

  return {
    people: { fronts: casts.fronts.length, pairs: casts.pairs.length, standIns: casts.standIns.length },
    prepare,
    /** One attempt at a session of the policy `strict`, judged under both. @param {string} kind @param {number} seed */
    async simulate(kind, seed) {
      const { subject, victim, earlier, ...asked } = await prepare(kind, { seed, level: 'strict' });
      const reuseOf = earlier && (await rememberedFrom(client, earlier));
      const { images, best, ...judged } = await judgedAttempt(
        client,
        subject,
        { ...asked, patienceMs },
        { follows: true, reuseOf },
      );
      const matches = judged.strict.isLive && (await isMatch(client, victim, images[best]));
      return { species: kind, kind: 'whiteBox', seed, matches, ...judged };
    },
    async close() {
      client.close();
      await faces.close();
    },
  };
}

/**
 * The service's memory after it judged an earlier capture of the account: it recognizes the frames that return.
 * @param {Client} client
 * @param {{ images: readonly Buffer[], timesMs: readonly number[] }} earlier
 */
async function rememberedFrom(client, { images, timesMs }) {
  const fingerprint = fingerprinter(randomBytes(32).toString('hex'));
  const account = /** @type {const} */ ({ accountId: 'account', mode: 'live' });
  const hex = (/** @type {Buffer} */ bytes) => bytes.toString('hex');
  const { reply } = await client.request(framesJob(images, timesMs));
  const known = new Set(fingerprint(account, images, reply).all.map(hex));
  return (/** @type {readonly Buffer[]} */ sent, /** @type {any} */ signals) => {
    const { all, reuse } = fingerprint(account, sent, signals);
    return reuse(all.map((bytes) => known.has(hex(bytes))));
  };
}

/** Whether the frame that the service compares matches the photo of the victim that the attacker began with. */
async function isMatch(client, victim, frame) {
  const photo = await jpegOf(victim.head.texture, 95);
  const { reply } = await client.request(compareJob(photo, frame));
  return Math.max(0, ...reply.targets.map(({ similarity }) => similarity)) >= MATCH;
}
