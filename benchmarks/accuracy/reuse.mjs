/**
 * Frames of an earlier attempt: how many frames of a replay, and of another visit of the same person in the same room, the
 * fingerprints of the inference tier recognize, and which of them pass the verdict. All visitors are rendered. They sit
 * down again up to 15 mm to a side, 10 mm up or down and 25 mm nearer or farther, with the head tilted by up to 2 degrees.
 */
import { fingerprinter } from '../../gateway/dist/services/liveness/verdict/fingerprints.js';
import { policies } from '../../gateway/dist/services/liveness/verdict/policy.js';
import { judge } from '../../gateway/dist/services/liveness/verdict/verdict.js';
import { mapConcurrently } from '../lib/client.mjs';
import { zero } from '../lib/figures.mjs';
import { sampleOf } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';
import { measuredAttempt } from './judged-attempt.mjs';
import { castsOf } from './presentations.mjs';
import {
  compressed,
  drawMovements,
  habitsOf,
  inTurn,
  randomFrom,
  relighted,
  replayed,
  sensorNoise,
  shifted,
  sitter,
  straightOn,
  vga,
  zoomed,
} from './rendered-people.cjs';

/** A step counts as done after this time, in milliseconds. */
const patienceMs = 15_000;

/** Changes by the attacker. Each frame is encoded anew in any case. */
const disguises = {
  nothing: () => async (frame) => frame,
  'compressed, JPEG 62': () => compressed(62),
  'moved by up to 11 px': shifted,
  'enlarged by up to 10 %': zoomed,
  'new noise': sensorNoise,
  brightness: relighted,
  'all of these': (seed) =>
    inTurn(shifted(seed), zoomed(seed), relighted(seed), sensorNoise(seed), compressed(62)),
};

/** @type {import('../lib/types').Measurement} */
export const reuse = {
  name: 'accuracy/reuse',
  question: 'Does the verdict refuse frames of an earlier capture, and no other visit of the same person?',
  conditions: { people: 40, visits: 3, replays: 50, concurrency: 2 },
  quick: { people: 1, visits: 2, replays: 1 },

  async run({ people: count, visits, replays, concurrency }, log) {
    const { side } = await castsOf(4 * count, log);
    const people = side.slice(0, count);
    return withTier(async ({ client }) => {
      const seats = people.flatMap((person, i) =>
        Array.from({ length: visits }, (_, visit) => ({ person, seed: 100 * i + visit, seat: i })),
      );
      const captures = await mapConcurrently(seats, concurrency, async (seat) => {
        const subject = await sitter(seat.person, sittingOf(seat));
        return { ...seat, ...(await attempt(client, subject, seat.seed)) };
      });
      const genuine = captures.map((capture) => {
        const others = captures.filter(({ seat, seed }) => seat === capture.seat && seed !== capture.seed);
        return row(capture, storeOf(others));
      });
      const strangers = captures.map((capture) => {
        const others = captures.filter(({ seat }) => seat !== capture.seat);
        return row(capture, storeOf(others));
      });
      log(`visits: ${genuine.filter(({ live }) => live).length} of ${genuine.length} pass`);
      const passed = captures.filter((capture) => judged(capture, storeOf([])).isLive);
      const names = Object.keys(disguises);
      const jobs = Array.from({ length: passed.length > 0 ? replays : 0 }, (_, i) => ({
        disguise: names[i % names.length],
        original: passed[i % passed.length],
        seed: 9000 + i,
      }));
      const rows = await mapConcurrently(jobs, concurrency, async ({ disguise, original, seed }) => {
        const subject = replayed(original, disguises[disguise](seed));
        const again = await attempt(client, subject, seed, original.movements);
        return {
          disguise,
          ...row(again, storeOf([original])),
          liveAlone: judged(again, storeOf([])).isLive,
        };
      });
      return { people: people.length, genuine, strangers, rows };
    });
  },

  summarize({ people, genuine, strangers, rows }) {
    const reused = genuine.filter(({ reused }) => reused).length;
    const live = rows.filter(({ live }) => live).length;
    const names = [...new Set(rows.map(({ disguise }) => disguise))];
    return {
      figures: [
        zero('replays of a passed capture that pass', live, sampleOf(live, rows.length, 'presentations')),
        zero(
          'visits that are refused because of another visit of the same person',
          reused,
          sampleOf(reused, genuine.length, 'presentations'),
        ),
      ],
      tables: [
        {
          title: 'Replays of a capture that passed, in the order that happens to be requested again',
          columns:
            'Change | Replays | Pass without the memory of frames | Pass | Refused as reused | Fewest frames recognized | Median',
          rows: names.map((name) => {
            const some = rows.filter(({ disguise }) => disguise === name);
            return [
              name,
              some.length,
              some.filter(({ liveAlone }) => liveAlone).length,
              some.filter(({ live }) => live).length,
              some.filter(({ reused }) => reused).length,
              ...alikeOf(some, 0, 0.5),
            ];
          }),
        },
        {
          title: 'Other visits of rendered people',
          columns: 'Compared with | Visits | Refused as reused | Median of frames recognized | Most',
          rows: [
            ['Other visits of the same person in the same room', genuine],
            ['Visits of all others', strangers],
          ].map(([what, some]) => [
            what,
            some.length,
            some.filter(({ reused }) => reused).length,
            ...alikeOf(some, 0.5, 1),
          ]),
          remark: `${people} rendered people in a room each. How exactly real people take their place again, and how much real rooms and cameras change between visits, has not been measured.`,
        },
      ],
    };
  },
};

const alikeOf = (rows, ...quantiles) => {
  const counts = rows.map(({ alike }) => alike).sort((a, b) => a - b);
  return quantiles.map(
    (quantile) => counts[Math.min(counts.length - 1, Math.floor(quantile * counts.length))] ?? 0,
  );
};

/** The same room, light and lens at each visit, and nearly the same seat. */
function sittingOf({ seat, seed }) {
  const room = randomFrom(seat);
  const camera = {
    ...vga,
    light: room.between(0.8, 1.1),
    slant: room.between(-0.4, 0.4),
    noise: room.between(1, 3),
  };
  const base = {
    ...straightOn,
    x: room.between(-25, 25),
    y: straightOn.y + room.between(-15, 15),
    distance: room.between(480, 640),
  };
  const { between } = randomFrom(seed + 1);
  return {
    camera: { ...camera, light: camera.light * between(0.97, 1.03) },
    base: {
      ...base,
      x: base.x + between(-15, 15),
      y: base.y + between(-10, 10),
      distance: base.distance + between(-25, 25),
      pitch: between(-2, 2),
      roll: between(-2, 2),
    },
    habits: habitsOf(seed + 1),
    seed: seed + 1,
    roomSeed: seat + 1,
  };
}

async function attempt(client, subject, seed, movements) {
  const { next } = randomFrom(seed + 7);
  const requested = movements ?? drawMovements(3, 'standard', (below) => Math.floor(next() * below));
  const measured = await measuredAttempt(client, subject, { movements: requested, patienceMs });
  return { ...measured, movements: requested };
}

const account = { accountId: 'acc_1', mode: /** @type {const} */ ('live') };
const fingerprint = fingerprinter('00'.repeat(32));
const textsOf = ({ all }) => all.map((bytes) => bytes.toString('latin1'));

/** The fingerprints that an account's captures left. */
const storeOf = (captures) =>
  new Set(captures.flatMap(({ images, signals }) => textsOf(fingerprint(account, images, signals))));

function judged({ images, forced, signals, steps, frames, camera, transport }, store) {
  const fingerprints = fingerprint(account, images, signals);
  const frameReuse = fingerprints.reuse(textsOf(fingerprints).map((text) => store.has(text)));
  const { isLive, reasons } = judge(
    { signals, steps, frames, camera, transport, reuse: frameReuse },
    policies.standard,
  );
  return { isLive: isLive && !forced, reasons, frameReuse };
}

function row(capture, store) {
  const { isLive, reasons, frameReuse } = judged(capture, store);
  return { live: isLive, reused: reasons.includes('reusedFrames'), alike: frameReuse.alike, reasons };
}
