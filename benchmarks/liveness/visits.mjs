/** A customer's whole way through, timed as the page shows it: real Chromium, a camera that is steered, all processes. */
import { sampleOf, spread } from '../lib/stats.mjs';
import { verdictTargetMs } from '../lib/targets.mjs';
import { loadTypescript } from '../lib/typescript.mjs';

const test = (/** @type {string[]} */ ...path) => loadTypescript('gateway', 'test', 'liveness', ...path);
const { present } = test('browser', 'present.ts');
const { Visitor } = test('browser', 'visitor.ts');
const { startWorld } = test('browser', 'world.ts');
const { loadPeople } = test('people', 'people.ts');
const { sitter } = test('people', 'subject.ts');

/** @type {import('../lib/types').Measurement} */
export const visits = {
  name: 'liveness/visits',
  answers:
    'How long does somebody look at the camera, and how long does the outcome take after the last frame?',
  parameters: { count: 10 },

  async run({ count }, log) {
    const [world, visitor, people] = await Promise.all([startWorld(), Visitor.arrive(), loadPeople()]);
    try {
      const seen = [];
      for (let i = 0; i < count; i++) {
        const visit = await present(
          { world, visitor },
          await sitter(people[i % people.length], { seed: i + 1 }),
        );
        log(`${visit.message}, ${Math.round(visit.captureMs)} and ${Math.round(visit.verdictMs)} ms`);
        seen.push(visit);
      }
      const passed = seen.filter(({ message }) => message === 'ended.completed');
      const captureMs = spread(passed.map((visit) => visit.captureMs));
      const verdictMs = spread(passed.map((visit) => visit.verdictMs));
      return { figures: { count, passed: passed.length, captureMs, verdictMs } };
    } finally {
      await visitor.leave();
      await world.stop();
    }
  },

  bars({ count, passed, captureMs, verdictMs }) {
    const seconds = (/** @type {ReturnType<typeof spread>} */ { min, max }) =>
      /** @type {const} */ ([min / 1000, max / 1000]);
    return [
      {
        what: 'Rendered visitors that pass',
        value: (100 * passed) / count,
        unit: '%',
        bar: 100,
        better: 'higher',
        sample: sampleOf(passed, count, 'visits'),
      },
      {
        what: 'Longest capture',
        value: captureMs.max / 1000,
        unit: 's',
        bar: 15,
        better: 'lower',
        sample: { n: passed, of: 'visits', range: seconds(captureMs) },
      },
      {
        what: 'Longest wait for the outcome',
        value: verdictMs.max / 1000,
        unit: 's',
        bar: verdictTargetMs / 1000,
        better: 'lower',
        sample: { n: passed, of: 'visits', range: seconds(verdictMs) },
      },
    ];
  },

  report({ captureMs, verdictMs }) {
    const seconds = (/** @type {number} */ ms) => `${(ms / 1000).toFixed(2)} s`;
    const cells = (/** @type {any} */ one) => [one.median, one.min, one.max].map(seconds);
    return [
      {
        title: 'Times',
        columns: ['', 'Median', 'Least', 'Most'],
        rows: [
          ['Capture: first question to last step', ...cells(captureMs)],
          ['Verdict: last step to outcome', ...cells(verdictMs)],
        ],
        remark:
          'Rendered people who begin to move 0.45 s after the question and do as asked; page, gateway, inference, Redis, the browser and the drawing of its camera share one machine.',
      },
    ];
  },
};
