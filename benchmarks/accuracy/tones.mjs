/**
 * Stand-ins in other skin in usual and dim light: which of them pass, by which rule the others fail, and how their faces
 * follow the colors of the page. The same people, rooms and prompts come in each tone. The colors of other attempts show how
 * often a face that follows none would pass the light challenge by chance.
 */
import { policies } from '../../gateway/dist/services/liveness/verdict/policy.js';
import { judge } from '../../gateway/dist/services/liveness/verdict/verdict.js';
import { measureLight } from '../../inference/dist/pipeline/liveness/light.js';
import { mapConcurrently } from '../lib/client.mjs';
import { atLeastOf, atMost } from '../lib/figures.mjs';
import { sampleOf } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';
import { measuredAttempt } from './judged-attempt.mjs';
import { castsOf } from './presentations.mjs';
import { openModels } from './probes/models.mjs';
import {
  drawColors,
  drawMovements,
  randomFrom,
  setOf,
  sitter,
  turnsAfter,
  withTone,
} from './rendered-people.cjs';

/** A step counts as done after this time, in milliseconds. */
const patienceMs = 15_000;
const lights = { usual: {}, dim: { light: 0.55, noise: 5 } };
/** @type {readonly import('../../gateway/test/liveness/people/tones').Tone[]} */
const toneNames = [2, 4, 6, 8, 9, 10];

/** @type {import('../lib/types').Measurement} */
export const skinTones = {
  name: 'accuracy/tones',
  question: 'Do stand-ins with dark skin pass the liveness check as often as those with light skin?',
  conditions: { count: 16, firstSeed: 0, draws: 100, concurrency: 2 },
  quick: { count: 1, draws: 5 },

  async run({ count, firstSeed, draws, concurrency }, log) {
    const { side } = await castsOf(28, log);
    const faces = await openModels();
    const groups = toneNames.flatMap((tone) => Object.keys(lights).map((light) => ({ tone, light })));
    const jobs = groups.flatMap((group) =>
      Array.from({ length: count }, (_, i) => ({ ...group, seed: firstSeed + i })),
    );
    try {
      return await withTier(async ({ client }) => {
        const rows = await mapConcurrently(jobs, concurrency, async ({ tone, light, seed }) => {
          const { person, sitting, colors } = setOf(side, seed);
          const camera = { ...sitting.camera, ...lights[light] };
          const subject = await sitter(withTone(person, tone), { ...sitting, camera });
          const random = randomFrom(seed + 9000);
          const movements = drawMovements(turnsAfter(0, 'strict'), 'strict', (below) =>
            Math.floor(random.next() * below),
          );
          const attempt = await measuredAttempt(client, subject, { movements, colors, patienceMs });
          const judged = (level) =>
            attempt.forced > 0 ? ['stopped'] : judge(attempt, policies[level]).reasons;
          return {
            tone,
            light,
            standard: judged('standard'),
            strict: judged('strict'),
            correlation: attempt.signals.light?.correlation ?? null,
            byChance: await chanceOf(faces, attempt, { seed, draws }),
          };
        });
        for (const group of groups) {
          const some = rowsOf(rows, group);
          log(
            `tone ${group.tone}, ${group.light}: ${passed(some, 'standard')} of ${count} pass, strict ${passed(some, 'strict')}`,
          );
        }
        return { groups, draws: draws * rows.length, rows };
      });
    } finally {
      await faces.close();
    }
  },

  summarize({ groups, draws, rows }) {
    const chance = rows.reduce((sum, { byChance }) => sum + byChance, 0);
    const overall = (level) =>
      atLeastOf(
        `stand-ins that pass, policy ${level}`,
        passed(rows, level),
        rows.length,
        'presentations',
        97,
      );
    return {
      figures: [
        overall('standard'),
        overall('strict'),
        atMost(
          'captures that follow the colors of another attempt by chance',
          (100 * chance) / draws,
          '%',
          1,
          sampleOf(chance, draws, 'draws of colors'),
        ),
      ],
      tables: [
        {
          title: 'Stand-ins by skin tone',
          columns:
            'Monk tone | Light | Attempts | Passed, standard | Passed, strict | Rejected by, strict | Least correlation with the page | Median',
          rows: groups.map((group) => {
            const some = rowsOf(rows, group);
            const correlations = some.map(({ correlation }) => correlation ?? 0).sort((a, b) => a - b);
            return [
              group.tone,
              group.light,
              some.length,
              passed(some, 'standard'),
              passed(some, 'strict'),
              reasonsOf(some),
              ...[0, correlations.length >> 1].map((at) => (correlations[at] ?? 0).toFixed(2)),
            ];
          }),
          remark:
            'Portraits whose skin was scaled to tones of the Monk scale, and which were rendered as heads; eyes and teeth become darker as well. They are no people, and no error rates of people. All ask for the four turns of strict.',
        },
      ],
      data: { groups: groups.length },
    };
  },
};

const rowsOf = (rows, { tone, light }) => rows.filter((row) => row.tone === tone && row.light === light);
const passed = (rows, level) => rows.filter((row) => row[level].length === 0).length;

function reasonsOf(rows) {
  const names = rows.flatMap(({ strict }) => strict);
  const counts = [...new Set(names)].map((name) => `${name} ${names.filter((each) => each === name).length}`);
  return counts.join(', ') || '–';
}

/** How many draws of other colors the capture follows well enough for the rule `noLight`. */
async function chanceOf(faces, attempt, { seed, draws }) {
  const { images, light, signals } = attempt;
  if (!light) return 0;
  const lit = [];
  for (const image of images) {
    const face = await faces.read(image);
    lit.push(face?.chroma && { chroma: face.chroma, pose: face.pose });
  }
  const followed = Array.from({ length: draws }, (_, draw) => {
    const colors = drawColors(1_000_000 + 1000 * seed + draw).map((hex) =>
      [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)),
    );
    const response = measureLight(lit, { ...light, colors: colors.slice(0, light.colors.length) });
    const { reasons } = judge(
      { ...attempt, signals: { ...signals, light: response ?? null } },
      policies.strict,
    );
    return !reasons.includes('noLight');
  });
  return followed.filter(Boolean).length;
}
