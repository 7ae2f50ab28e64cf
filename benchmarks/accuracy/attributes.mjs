/** Measures occlusion and accessories on people who are not in the training set, and the cost of each attribute. */
import sharp from 'sharp';
import { detectJob, mapConcurrently } from '../lib/client.mjs';
import { atLeastOf } from '../lib/figures.mjs';
import { lfwImage } from '../lib/material.mjs';
import { percent } from '../lib/report.mjs';
import { median } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';
import { nearestToCenter } from './matching.mjs';
import { allSamples, draw, inPixels, truths } from './probes/samples.mjs';

const findings = Object.keys(truths);
const requested = [undefined, 'landmarks', 'pose', 'emotions', 'ageRange', 'gender', 'accessories', 'all'];

/** @type {import('../lib/types').Measurement} */
export const attributes = {
  name: 'accuracy/attributes',
  question: 'Which occlusions and accessories does POST /detect find, and what does each attribute cost?',
  conditions: { concurrency: 2, repetitions: 60, samples: 0 },
  quick: { repetitions: 2, samples: 60 },

  async run({ concurrency, repetitions, samples: limit }, log) {
    const heldOut = allSamples().filter((sample) => sample.heldOut);
    const samples = limit > 0 ? heldOut.slice(0, limit) : heldOut;
    return withTier(async ({ client }) => {
      const seen = await detectAll(client, samples, concurrency);
      const measured = findings.map((finding) => rate(finding, seen));
      for (const { finding, precision, recall } of measured)
        log(`${finding}: precision ${percent(precision)}, recall ${percent(recall)}`);
      const milliseconds = await timeAttributes(client, samples[0].name, repetitions);
      return { measured, drawn: byKind(seen), milliseconds };
    });
  },

  summarize({ measured, drawn, milliseconds }) {
    const { untouched } = measured.find(({ finding }) => finding === 'occluded');
    return {
      figures: measured.flatMap(figuresOf),
      tables: [
        {
          title: 'Occlusion and accessories',
          columns: ' | Precision | Recall | False alarms | Recall, photographed | False alarms, undrawn',
          rows: measured.map((row) => [
            row.finding,
            percent(row.precision),
            `${percent(row.recall)} of ${row.positives}`,
            `${percent(row.falseAlarms)} of ${row.negatives}`,
            row.untouched.positives
              ? `${percent(row.untouched.recall)} of ${row.untouched.positives}`
              : 'none in the set',
            `${percent(row.untouched.falseAlarms)} of ${row.untouched.negatives}`,
          ]),
          remark:
            'Portraits of LFW, as they are and with masks, dark lenses, hands, objects and scraps drawn on them (`accuracy/probes`). Only every third person counts: training never saw them. Far more is covered in this mix than in ordinary images, so false alarms on undrawn portraits say more than precision. Photographed: really there, not drawn.',
        },
        {
          title: 'By kind of drawing',
          columns: 'Drawn | Images | Face found | Reported as occluded',
          rows: drawn.map((row) => [row.kind, row.images, percent(row.detected), percent(row.occluded)]),
          remark: 'Reported as occluded: of the faces that were found.',
        },
        {
          title: 'Milliseconds per request with one face',
          columns: 'Attributes | p50 | More than none',
          rows: milliseconds.map(({ name, ms }) => [name, ms, Number((ms - milliseconds[0].ms).toFixed(2))]),
          remark:
            'A portrait of 250 pixels, one request after the other, attributes in turn. ageRange and gender share a model.',
        },
      ],
      data: {
        realOcclusions: untouched.positives,
        realOcclusionsFound: Math.round(untouched.positives * untouched.recall),
      },
    };
  },
};

/** The face of every sample, undefined where none was found in the middle. */
async function detectAll(client, samples, concurrency) {
  const detect = async (image, wanted) =>
    nearestToCenter((await client.request(detectJob(image, wanted))).reply.faces, (face) => face.boundingBox);
  const names = [...new Set(samples.map(({ name }) => name))];
  const portraits = await mapConcurrently(names, concurrency, async (name) => {
    const image = lfwImage(name);
    const face = await detect(image, 'landmarks');
    const { width = 0, height = 0 } = await sharp(image).metadata();
    return /** @type {const} */ ([name, face && inPixels(face.attributes.landmarks, { width, height })]);
  });
  const landmarks = new Map(portraits.filter(([, points]) => points));
  const drawable = samples.filter(({ name }) => landmarks.has(name));
  return mapConcurrently(drawable, concurrency, async (sample) => ({
    sample,
    face: await detect(await draw(sample, landmarks.get(sample.name)), 'accessories'),
  }));
}

const reports = (face, finding) =>
  finding === 'occluded'
    ? face.occluded.value
    : face.attributes.accessories.some(({ type }) => type === finding);

function rate(finding, seen) {
  const known = seen.filter(({ sample, face }) => face && truths[finding](sample) !== undefined);
  const untouched = known.filter(({ sample }) => sample.kind === 'untouched');
  return { finding, ...count(finding, known), untouched: count(finding, untouched) };
}

function count(finding, known) {
  const positive = known.filter(({ sample }) => truths[finding](sample));
  const negative = known.filter(({ sample }) => !truths[finding](sample));
  const hits = positive.filter(({ face }) => reports(face, finding)).length;
  const alarms = negative.filter(({ face }) => reports(face, finding)).length;
  return {
    positives: positive.length,
    negatives: negative.length,
    precision: hits / Math.max(1, hits + alarms),
    recall: hits / Math.max(1, positive.length),
    falseAlarms: alarms / Math.max(1, negative.length),
  };
}

function byKind(seen) {
  const kinds = [...new Set(seen.map(({ sample }) => sample.kind))].sort();
  return kinds.map((kind) => {
    const images = seen.filter(({ sample }) => sample.kind === kind);
    const detected = images.filter(({ face }) => face);
    const occluded = detected.filter(({ face }) => face.occluded.value).length;
    return {
      kind,
      images: images.length,
      detected: detected.length / images.length,
      occluded: occluded / Math.max(1, detected.length),
    };
  });
}

async function timeAttributes(client, name, repetitions) {
  const jobs = requested.map((wanted) => detectJob(lfwImage(name), wanted));
  const taken = jobs.map(() => /** @type {number[]} */ ([]));
  for (let i = 0; i < repetitions; i++)
    for (const [k, job] of jobs.entries()) taken[k].push((await client.request(job)).ms);
  return taken.map((ms, k) => ({ name: requested[k] ?? 'none', ms: median(ms) }));
}

function figuresOf({ finding, positives, negatives, recall, falseAlarms }) {
  const hits = Math.round(recall * positives);
  const reported = hits + Math.round(falseAlarms * negatives);
  const name = (what) => `${finding}: ${what}, mostly drawn on portraits, people not trained on`;
  return [
    atLeastOf(name('precision'), hits, Math.max(1, reported), 'findings', 90),
    atLeastOf(name('recall'), hits, Math.max(1, positives), 'portraits', 60),
  ];
}
