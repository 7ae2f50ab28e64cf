/** Counts detected, missed and false faces in photos with annotated noses and in mosaics of many small faces. */
import sharp from 'sharp';
import { detectJob } from '../lib/client.mjs';
import { atLeast, atLeastOf, zero } from '../lib/figures.mjs';
import { annotatedPhotos, central, lfwImage, lfwPeople } from '../lib/material.mjs';
import { range } from '../lib/report.mjs';
import { spread, sum } from '../lib/stats.mjs';
import { modelsEnv, modelsVariant, ownModels, withTier } from '../lib/tier.mjs';
import { centerOf, matchPoints } from './matching.mjs';

/** Pixels of an LFW image (250x250) that hold the face of its person and little else. */
const FACE_SIDE = 130;

/** @type {import('../lib/types').Measurement} */
export const detection = {
  name: 'accuracy/detection',
  question: 'Does POST /detect find every face, near and small, and nothing else?',
  conditions: { mosaics: 3, grid: 10, cell: 64, ...ownModels },
  quick: { mosaics: 1 },

  async run({ mosaics, grid, cell, ...models }, log) {
    const annotated = annotatedPhotos();
    const people = lfwPeople();
    const measure = async ({ client }) => {
      const photos = [];
      for (const photo of annotated) photos.push(await findNoses(client, photo));
      const [noses, detected, falseBoxes] = ['noses', 'detected', 'extra'].map((key) =>
        sum(photos.map((photo) => photo[key])),
      );
      log(`${detected} of ${noses} noses in a box of their own, ${falseBoxes} other boxes`);
      const crowds = [];
      for (let i = 0; i < mosaics; i++) {
        const names = people.slice(i * grid ** 2, (i + 1) * grid ** 2);
        crowds.push(await findMosaic(client, names, { grid, cell }));
        log(
          `mosaic ${i + 1}: ${crowds[i].detected} of ${names.length} detected, ${crowds[i].extra} other boxes`,
        );
      }
      const cells = spread(crowds.map((crowd) => crowd.detected));
      return { noses, detected, falseBoxes, photos, mosaic: { cells, crowds } };
    };
    return withTier(measure, { env: modelsEnv(models) });
  },

  summarize({ noses, detected, falseBoxes, photos, mosaic }, { mosaics, grid, cell, ...models }) {
    const faces = grid ** 2;
    const imperfect = photos.filter((photo) => photo.detected < photo.noses || photo.extra > 0);
    const extra = spread(mosaic.crowds.map((crowd) => crowd.extra));
    return {
      figures: [
        atLeastOf(
          'Annotated noses inside a returned box',
          detected,
          noses,
          `faces in ${photos.length} photos`,
          100,
        ),
        zero('Boxes without an annotated nose', falseBoxes, { n: detected + falseBoxes, items: 'boxes' }),
        atLeast(
          `Found in a ${grid}x${grid} mosaic at ${cell} px, worst of ${mosaics}`,
          mosaic.cells.min,
          '',
          Math.ceil(0.98 * faces),
          { n: faces, items: 'faces', range: [mosaic.cells.min, mosaic.cells.max] },
        ),
      ],
      tables: [
        {
          title: 'Found',
          columns: 'Material | Faces | Found | Other boxes',
          rows: [
            [`${photos.length} photos`, noses, detected, falseBoxes],
            ...imperfect.map((photo) => [
              `of these: ${photo.name}`,
              photo.noses,
              photo.detected,
              photo.extra,
            ]),
            [`${mosaic.crowds.length} mosaics of different people`, faces, range(mosaic.cells), range(extra)],
          ],
          remark: `Each nose needs a box of its own. A mosaic cell holds the central ${FACE_SIDE} px of an LFW image and counts with the first box whose center lies in it; every further box is another. Mosaics: median (lowest to highest).`,
        },
      ],
      data: { photos: photos.length },
      ...modelsVariant(models),
    };
  },
};

async function findNoses(client, { name, bytes, noses }) {
  const { width = 1, height = 1 } = await sharp(bytes).metadata();
  const { reply } = await client.request(detectJob(bytes));
  const boxes = reply.faces.map((face) => face.boundingBox);
  const points = noses.map(([x, y]) => /** @type {const} */ ([x / width, y / height]));
  const detected = matchPoints(points, boxes).filter((box) => box !== undefined).length;
  return { name, noses: noses.length, detected, extra: boxes.length - detected };
}

async function findMosaic(client, names, { grid, cell }) {
  const { reply } = await client.request(detectJob(await drawMosaic(names, { grid, cell })));
  const cells = new Set(
    reply.faces.map(({ boundingBox }) => {
      const [x, y] = centerOf(boundingBox);
      return Math.floor(y * grid) * grid + Math.floor(x * grid);
    }),
  );
  const missed = names.filter((_, i) => !cells.has(i));
  return { detected: names.length - missed.length, extra: reply.faces.length - cells.size, missed };
}

async function drawMosaic(names, { grid, cell }) {
  const tiles = await Promise.all(
    names.map(async (name, i) => ({
      input: await (await central(lfwImage(name), FACE_SIDE)).resize(cell, cell).png().toBuffer(),
      left: (i % grid) * cell,
      top: Math.floor(i / grid) * cell,
    })),
  );
  const side = grid * cell;
  return sharp({ create: { width: side, height: side, channels: 3, background: '#000' } })
    .composite(tiles)
    .jpeg({ quality: 95 })
    .toBuffer();
}
