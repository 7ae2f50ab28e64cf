/** Four kinds of load: one client with every operation, a steady mix, batches, and large images. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { figure } from '../lib/report.mjs';
import { p95TargetsMs } from '../lib/targets.mjs';
import { byOperation, resourceFigures, secondsOf } from './analysis.mjs';
import { largeImages, officePhoto, portraitImages } from './images.mjs';
import {
  countFailures,
  failureFigure,
  latencyTable,
  p95Figures,
  resourceTable,
  unservedFigure,
  unservedPercent,
} from './tables.mjs';
import { applyMix, EVERYTHING, saturation, withWorld } from './world.mjs';

const { image: limits } = JSON.parse(readFileSync(join(ROOT, 'gateway', 'contract', 'limits.json'), 'utf8'));

/** Raw figures of a run that every scenario keeps. */
const rawOf = (run, rows = byOperation(run.responses)) => ({
  failures: countFailures(run),
  unserved: unservedPercent(run),
  rows,
  resources: resourceFigures(run.samples),
});

const figuresOf = ({ failures, unserved, rows }, operations, where) => [
  failureFigure(failures),
  unservedFigure(unserved),
  ...p95Figures(rows, operations, where),
];

/** @type {import('../lib/types').Measurement} */
export const smoke = {
  name: 'load/smoke',
  question: 'Does the whole path work under light load, with a right response to every operation?',
  conditions: { seconds: 10 },
  quick: { seconds: 4 },

  async run({ seconds }) {
    const photo = officePhoto(4);
    // The largest face of the photo matches itself and no other face.
    const pairs = [{ source: photo.jpeg, target: photo.jpeg, matches: 1 }];
    const mix = { detect: 1, compare: 1, moderate: 1 };
    return withWorld({ images: [photo], pairs }, async (world) =>
      rawOf(await applyMix(world, [{ name: 'smoke', mix, clients: 1, seconds }])),
    );
  },

  summarize: (raw) => ({
    figures: figuresOf(raw, Object.keys(p95TargetsMs), 'one client'),
    tables: [latencyTable(raw.rows, 'Responses', 'A photo of 1920x1448 with four faces.')],
  }),
};

/** @type {import('../lib/types').Measurement} */
export const steady = {
  name: 'load/steady',
  question: "Does a mix of operations at 60 % of the maximum throughput keep the specification's latency?",
  conditions: { seconds: 60, part: 0.6, perSecond: 0 },
  quick: { seconds: 6 },

  async run({ seconds, part, perSecond }, log) {
    return withWorld({}, async (world) => {
      const offered = perSecond || part * (await saturation(world, EVERYTHING, 6)).perSecond;
      log(`${figure(offered)} requests a second`);
      const run = await applyMix(world, [{ name: 'steady', mix: EVERYTHING, perSecond: offered, seconds }]);
      return { ...rawOf(run), offered, unsent: run.dropped.steady?.length ?? 0 };
    });
  },

  summarize: (raw) => ({
    figures: figuresOf(raw, Object.keys(EVERYTHING), 'mixed load'),
    tables: [
      latencyTable(
        raw.rows,
        `${figure(raw.offered)} requests a second, evenly spaced`,
        `Six detections to two comparisons and two moderations of 640x480 portraits. Times are those of right responses. ${raw.unsent} requests were never sent because k6 had no free virtual user.`,
      ),
      resourceTable(raw.resources),
    ],
  }),
};

/** @type {import('../lib/types').Measurement} */
export const batch = {
  name: 'load/batch',
  question: 'How many images a second do batches carry, and do single images beside them keep their latency?',
  conditions: { seconds: 30, clients: 2, batchSize: 32 },
  quick: { seconds: 6 },

  async run({ seconds, clients, batchSize }, log) {
    return withWorld({}, async (world) => {
      const body = world.bodies.batch(await portraitImages(), batchSize);
      const run = await applyMix({ ...world, prepared: { ...world.prepared, batch: [body] } }, [
        { name: 'batches', mix: { batch: 1 }, clients, seconds },
        { name: 'singles', mix: { detect: 1 }, perSecond: 2, seconds },
      ]);
      const done = run.responses.filter(
        ({ operation, outcome }) => operation === 'batch' && outcome === 'ok',
      );
      if (done.length === 0) throw new Error(`No batch succeeded: ${JSON.stringify(run.falseChecks)}`);
      const imagesPerSecond = (done.length * batchSize) / secondsOf(done);
      log(`${figure(imagesPerSecond)} images a second in batches`);
      return { ...rawOf(run), imagesPerSecond };
    });
  },

  summarize: (raw, { clients, batchSize }) => ({
    figures: figuresOf(raw, ['detect'], 'beside full batches'),
    tables: [
      latencyTable(
        raw.rows,
        `${clients} clients with batches of ${batchSize}, one with two images a second`,
        `${figure(raw.imagesPerSecond)} images a second in batches. A batch is right when the result of each of its images is.`,
      ),
      resourceTable(raw.resources),
    ],
  }),
};

/** @type {import('../lib/types').Measurement} */
export const large = {
  name: 'load/large-images',
  question:
    'How long do photos of 12 to 36 megapixels in files of up to 5 MB take, and what memory do they need?',
  conditions: { seconds: 20, clients: 2 },
  quick: { seconds: 6 },

  async run({ seconds, clients }, log) {
    const images = await largeImages(limits.maxBytes);
    const sizes = images.map(({ image, jpeg, faces }) => ({ name: image, bytes: jpeg.length, faces }));
    log(sizes.map(({ name, bytes }) => `${name}: ${figure(bytes / 1e6)} MB`).join(', '));
    return withWorld({ images }, async (world) => {
      const run = await applyMix(world, [{ name: 'large', mix: { detect: 1 }, clients, seconds }]);
      const byImage = byOperation(run.responses, (response) => response.image);
      return { ...rawOf(run, [...byOperation(run.responses), ...byImage]), sizes };
    });
  },

  summarize: (raw, { clients }) => ({
    figures: figuresOf(raw, ['detect'], 'large photos'),
    tables: [
      latencyTable(
        raw.rows,
        `Detection, ${clients} clients in a closed model`,
        `Enlarged photos with a camera's grain: ${raw.sizes.map((size) => `${size.name} in ${figure(size.bytes / 1e6)} MB with ${size.faces} faces`).join(', ')}. The time includes sending base64 of that size.`,
      ),
      resourceTable(raw.resources),
    ],
  }),
};
