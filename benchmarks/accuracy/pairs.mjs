/** All pairs of LFW images: error rates down to 1e-5, which the 900 impostor pairs of the protocol cannot show. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atLeast } from '../lib/figures.mjs';
import { lfwImages, lfwMiddle } from '../lib/material.mjs';
import { INFERENCE_MAIN } from '../lib/paths.mjs';
import { percent } from '../lib/report.mjs';
import { modelsVariant } from '../lib/tier.mjs';

/** The default embedding. */
const EMBEDDING = 'sface';

const CLI = join(INFERENCE_MAIN, '..', 'commands', 'cli.js');

/** The false-match rate of each similarity, and the least share of genuine pairs that reach it, in percent. */
const TARGETS = { 0.9: ['1e-4', 98], 0.95: ['1e-5', 96] };

/** @type {import('../lib/types').Measurement} */
export const pairs = {
  name: 'accuracy/pairs',
  question:
    'At which threshold do how many of all pairs of LFW images match, of different people and of one?',
  conditions: { crop: 0.7, embedding: EMBEDDING, people: 0, folder: '' },
  quick: { people: 150 },

  async run({ crop, embedding, people: limit, folder }, log) {
    const people = mkdtempSync(join(tmpdir(), 'lfw-'));
    try {
      for (const images of limit > 0 ? lfwImages().slice(0, limit) : lfwImages()) {
        const person = join(people, images[0].replace(/_\d+\.jpg$/, ''));
        mkdirSync(person);
        for (const name of images) writeFileSync(join(person, name), await lfwMiddle(name, crop));
      }
      const env = { ...process.env, ...(folder && { MODELS_FOLDER: folder }) };
      const args = [CLI, 'calibrate', embedding, people, '--json'];
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      const measured = JSON.parse(stdout);
      for (const { falseMatch, falseNonMatch } of measured.rates)
        log(`FMR ${falseMatch.toExponential(1)}: TAR ${percent(1 - falseNonMatch)}`);
      return measured;
    } finally {
      rmSync(people, { recursive: true });
    }
  },

  summarize({ rates, people, images, genuine, impostors }, { crop, embedding }) {
    const sample = { n: genuine, items: 'pairs of one person' };
    return {
      figures: rates.flatMap(({ similarity, falseNonMatch }) => {
        const [fmr, target] = TARGETS[similarity] ?? [];
        const what = `TAR at FMR ${fmr}, all pairs of LFW`;
        return fmr ? [atLeast(what, 100 * (1 - falseNonMatch), '%', target, sample)] : [];
      }),
      tables: [
        {
          title: 'Errors by threshold',
          columns: 'Similarity threshold | FMR | 95 % interval | FNMR',
          rows: rates.map(({ similarity, falseMatch, interval, falseNonMatch }) => [
            similarity,
            falseMatch.toExponential(1),
            interval.map((limit) => limit.toExponential(1)).join(' to '),
            percent(falseNonMatch),
          ]),
          remark: `The embedding ${embedding} in 32-bit floats; ${images} images of ${people} people, the central ${percent(crop)} of each side; ${impostors} pairs of different people and ${genuine} pairs of one person. The thresholds were fitted on these pairs. The intervals come from drawing the people anew, 500 times.`,
        },
      ],
      data: { people, images, genuinePairs: genuine, impostorPairs: impostors },
      ...modelsVariant({ models: embedding === EMBEDDING ? '' : embedding }),
    };
  },
};
