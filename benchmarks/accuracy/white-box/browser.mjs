/**
 * The attacks of `accuracy/white-box` in a real Chromium: the page is the real one, and a script replaces its camera by a canvas
 * that shows the attack. The page itself signs the frames, and its headers have no fault.
 */

import { atMost } from '../../lib/figures.mjs';
import { sampleOf } from '../../lib/stats.mjs';
import { withTier } from '../../lib/tier.mjs';
import { preparedClips } from '../rendered-people.cjs';
import { effortOf, efforts, openAttacker } from './attacker.mjs';

/** Kinds of `accuracy/white-box`, without patterns, whose clips take much longer to prepare. */
const KINDS = ['two photos', 'face swap on two photos'];

/** @type {import('../../lib/types').Measurement} */
export const whiteBoxBrowser = {
  name: 'accuracy/white-box-browser',
  question: 'How many attacks pass on the real page when a script replaces its camera by a canvas?',
  conditions: { count: 8, level: 'strict', frameRate: 8, ...efforts },
  quick: { count: 1 },

  async run({ count, level, frameRate, ...conditions }, log) {
    // On demand, because they load a browser's driver.
    const { present, startWorld, Visitor } = await import('../rendered-visits.cjs');
    return withTier(async ({ url }) => {
      const attacker = await openAttacker(url, effortOf(conditions));
      const [world, visitor] = await Promise.all([
        startWorld({ LIVENESS_ATTEMPTS: '1' }, url),
        Visitor.arrive(),
      ]);
      try {
        const rows = [];
        for (const kind of KINDS) {
          for (let seed = 0; seed < count; seed++) {
            const subject = await preparedClips(
              async () => (await attacker.prepare(kind, { seed, level })).subject,
            );
            const manner = { replacesCamera: true, frameRate };
            const { message, reasons } = await present({ world, visitor }, subject, manner, {
              policy: { level },
            });
            log(`${kind}, seed ${seed}: ${message} ${reasons.join(', ')}`);
            rows.push({ species: kind, message, reasons });
          }
        }
        return rows;
      } finally {
        await visitor.leave();
        await world.stop();
        await attacker.close();
      }
    });
  },

  summarize(rows, { level }) {
    const passed = (visits) => visits.filter(({ message }) => message === 'ended.completed').length;
    const kinds = KINDS.map((name) => ({ name, rows: rows.filter(({ species }) => species === name) }));
    const sample = sampleOf(passed(rows), rows.length, `visits with the policy ${level}`);
    return {
      figures: [
        atMost('Attacks that pass on the real page', (100 * sample.hits) / sample.n, '%', 25, sample),
      ],
      tables: [
        {
          title: `A canvas in place of the camera, policy ${level}`,
          columns: 'Kind | Visits | Passed | 95 % interval | Rejected by',
          rows: kinds.map(({ name, rows: visits }) => {
            const { interval } = sampleOf(passed(visits), visits.length, 'visits');
            const reasons = visits.flatMap((visit) => visit.reasons);
            const counted = [...new Set(reasons)].map((reason) => [
              reason,
              reasons.filter((other) => other === reason).length,
            ]);
            return [
              name,
              visits.length,
              passed(visits),
              `${interval.map((bound) => bound.toFixed(1)).join(' to ')} %`,
              counted.map(([reason, n]) => `${reason} ${n}`).join(', ') || '–',
            ];
          }),
          remark:
            'Chromium with the hosted page, gateway, inference tier and Redis of one machine. A visit that the page ends without a verdict counts as rejected. The clips of each movement are rendered before the session, and the script plays the one that the page asks for, and adds the color of the page to the face.',
        },
      ],
    };
  },
};
