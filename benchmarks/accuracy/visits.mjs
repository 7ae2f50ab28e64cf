/** A customer's whole visit, timed as the page shows it: real Chromium, a steered camera, all processes. */
import { atLeastOf, atMost } from '../lib/figures.mjs';
import { spread } from '../lib/stats.mjs';
import { verdictTargetMs } from '../lib/targets.mjs';
import { withTier } from '../lib/tier.mjs';

/** @type {import('../lib/types').Measurement} */
export const visits = {
  name: 'accuracy/visits',
  question: 'How long does a capture take, and how long does the outcome take after the last frame?',
  conditions: { count: 10 },
  quick: { count: 1 },

  async run({ count }, log) {
    // On demand, because they load a browser's driver.
    const { loadPeople, present, sitter, startWorld, Visitor } = await import('./rendered-visits.cjs');
    return withTier(async ({ url }) => {
      const [world, visitor, people] = await Promise.all([
        startWorld({}, url),
        Visitor.arrive(),
        loadPeople(),
      ]);
      try {
        const passed = [];
        for (let i = 0; i < count; i++) {
          const subject = await sitter(people[i % people.length], { seed: i + 1 });
          const { message, captureMs, verdictMs } = await present({ world, visitor }, subject);
          log(`${message}, ${Math.round(captureMs)} and ${Math.round(verdictMs)} ms`);
          if (message === 'ended.completed') passed.push({ captureMs, verdictMs });
        }
        return {
          count,
          passed: passed.length,
          captureMs: spread(passed.map((visit) => visit.captureMs)),
          verdictMs: spread(passed.map((visit) => visit.verdictMs)),
        };
      } finally {
        await visitor.leave();
        await world.stop();
      }
    });
  },

  summarize({ count, passed, captureMs, verdictMs }) {
    const longest = (what, { min, max }, target) =>
      atMost(what, max / 1000, 's', target, { n: passed, items: 'visits', range: [min / 1000, max / 1000] });
    const seconds = ({ median, min, max }) => [median, min, max].map((ms) => `${(ms / 1000).toFixed(2)} s`);
    return {
      figures: [
        atLeastOf('Rendered visitors that pass', passed, count, 'visits', 100),
        longest('Longest capture', captureMs, 15),
        longest('Longest wait for the outcome', verdictMs, verdictTargetMs / 1000),
      ],
      tables: [
        {
          title: 'Times',
          columns: ' | Median | Least | Most',
          rows: [
            ['Capture: first prompt to last step', ...seconds(captureMs)],
            ['Verdict: last step to outcome', ...seconds(verdictMs)],
          ],
          remark:
            'Rendered people start to move 0.45 s after the prompt and do as requested. The page, gateway, inference, Redis, the browser and the rendering of its camera share one machine.',
        },
      ],
    };
  },
};
