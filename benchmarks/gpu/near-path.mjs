/**
 * One graph for the whole near path against one run per stage, on images with one near face, from decoded pixels to the
 * embedding. Both take turns on the same device, and the faces of both are compared.
 */
import { atMost, medianAtLeast } from '../lib/figures.mjs';
import { selfies } from '../lib/material.mjs';
import { figure, range } from '../lib/report.mjs';
import { spread } from '../lib/stats.mjs';
import { loadModels, needDevice, openNearPath, precisionsOn, servingModels } from './serving.mjs';

const maxSide = 1536;

/** @type {import('../lib/types').Measurement} */
export const nearPath = {
  name: 'gpu/near-path',
  question: 'How much faster is one graph for detectors, mesh and embedding than one run for each?',
  conditions: { device: 'cpu', batches: '1,8,32', seconds: 2, rounds: 5 },
  quick: { batches: '1', seconds: 0.1, rounds: 1 },
  onDemand: true,

  async run({ device, batches, ...repetition }, log) {
    await needDevice(device);
    const all = await decodedSelfies();
    const sizes = batches.split(',').map(Number);
    const precisions = [];
    for (const precision of await precisionsOn(device, log)) {
      const taken = await measure(all, { device, precision, sizes, ...repetition });
      for (const { batch, near, general } of taken.batches)
        log(
          `${precision}, batch ${batch}: ${range(near)} images/s in one graph, ${range(general)} in stages`,
        );
      precisions.push(taken);
    }
    return { device, total: all.length, precisions };
  },

  summarize: ({ device, total, precisions }) => ({
    variant: device,
    figures: precisions.flatMap(({ precision, images, difference, batches }) => [
      atMost(
        `Largest difference of an embedding, one graph against stages, ${precision}`,
        difference,
        '',
        1e-3,
        { n: images, items: 'selfies' },
      ),
      // A CPU samples faster in JavaScript than in a graph.
      ...(device === 'cpu' ? [] : batches).map(({ batch, ratio }) =>
        medianAtLeast(`One graph against stages, ${precision}, batch ${batch}`, ratio, 'x', 1.5),
      ),
    ]),
    tables: [
      {
        title: `Images per second on ${device}, from pixels to embedding`,
        columns: 'Floats | Batch | One graph | Stages | Ratio',
        rows: precisions.flatMap(({ precision, batches }) =>
          batches.map(({ batch, near, general, ratio }) => [
            precision,
            batch,
            range(near),
            range(general),
            `**${figure(ratio.median)}** (${figure(ratio.min)} to ${figure(ratio.max)})`,
          ]),
        ),
        remark: `${precisions[0].images} of ${total} selfies of 640x480 take the near path. One thread; median of the rounds (lowest to highest), the ratio round by round.`,
      },
    ],
  }),
};

/** Both paths in one precision. */
async function measure(all, { device, precision, sizes, seconds, rounds }) {
  const general = await openGeneralPath(device, precision);
  const near = await openNearPath(device, precision);
  const faces = await near.run(all);
  const images = all.filter((_, i) => faces[i] !== undefined);
  const difference = largestDifference(await near.run(images), await general.run(images));
  const batches = [];
  for (const batch of sizes) {
    const work = Array.from({ length: batch }, (_, i) => images[i % images.length]);
    batches.push({ batch, ...(await compete({ near, general }, work, { seconds, rounds })) });
  }
  await near.close();
  await general.close();
  return { precision, images: images.length, difference, batches };
}

async function decodedSelfies() {
  const { decodeImage } = await import('../../inference/dist/pipeline/image/decode.js');
  return Promise.all((await selfies()).map(({ bytes }) => decodeImage(bytes, maxSide)));
}

async function openGeneralPath(device, precision) {
  const { findFaces } = await import('../../inference/dist/pipeline/faces/find-faces.js');
  const { embedFaces } = await import('../../inference/dist/pipeline/faces/embed.js');
  const { models: specs, manifestData } = await servingModels(precision);
  const models = await loadModels(device, specs, ['near', 'thorough', 'mesh', 'embedding']);
  const embedder = { model: models.embedding, alignments: manifestData.alignments };
  return {
    /** Images with one face each. */
    async run(images) {
      const facesByImage = await findFaces(models, images);
      const faces = facesByImage.map(([face], i) => ({ image: images[i], face }));
      return embedFaces(embedder, faces);
    },
    async close() {
      for (const model of Object.values(models)) await model.close();
    },
  };
}

const largestDifference = (faces, others) =>
  Math.max(
    ...faces.map(({ embedding }, i) =>
      Math.max(...embedding.map((value, k) => Math.abs(value - others[i].embedding[k]))),
    ),
  );

/** Images per second of both, in turns. */
async function compete({ near, general }, images, { seconds, rounds }) {
  await near.run(images); // plans and allocates, as does the next
  await general.run(images);
  const taken = [];
  for (let round = 0; round < rounds; round++) {
    taken.push({ near: await speed(near, images, seconds), general: await speed(general, images, seconds) });
  }
  return {
    near: spread(taken.map((speeds) => speeds.near)),
    general: spread(taken.map((speeds) => speeds.general)),
    ratio: spread(taken.map((speeds) => speeds.near / speeds.general)),
  };
}

async function speed(path, images, seconds) {
  const begin = performance.now();
  let done = 0;
  do {
    // The general path keeps the halves of an image; a service never sees an image twice.
    for (const image of images) delete image.halved;
    await path.run(images);
    done += images.length;
  } while (performance.now() - begin < seconds * 1e3);
  return done / ((performance.now() - begin) / 1e3);
}
