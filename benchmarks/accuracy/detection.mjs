/** Faces found, missed and invented: photographs with annotated noses, and mosaics of many small faces. */
import sharp from 'sharp';
import { Client, detectJob } from '../lib/client.mjs';
import { annotatedPhotographs, central, lfwPeople, lfwPicture } from '../lib/material.mjs';
import { range } from '../lib/report.mjs';
import { withService } from '../lib/service.mjs';
import { sampleOf, spread, sum } from '../lib/stats.mjs';
import { centreOf, matchPoints } from './matching.mjs';

/** Part of an LFW picture (250x250) that holds the face of its person and little else. */
const FACE_SIDE = 130;

/** @type {import('../lib/types').Measurement} */
export const detection = {
  name: 'accuracy/detection',
  answers: 'Does POST /detect find every face, near and small, and nothing else?',
  parameters: { mosaics: 3, grid: 10, cell: 64, models: '', folder: '' },

  async run({ mosaics, grid, cell, models, folder }, log) {
    const photographs = annotatedPhotographs();
    const people = lfwPeople();
    const env = {
      ...(models ? { INFERENCE_MODELS: models } : {}),
      ...(folder ? { MODELS_FOLDER: folder } : {}),
    };
    /** @param {{ url: string }} service @returns {Promise<import('../lib/types').Outcome>} */
    const measure = async ({ url }) => {
      const client = new Client(url);
      try {
        const photos = [];
        for (const photograph of photographs) photos.push(await findNoses(client, photograph));
        const noses = sum(photos.map((photo) => photo.noses));
        const found = sum(photos.map((photo) => photo.found));
        const falseBoxes = sum(photos.map(({ extra }) => extra));
        log(`${found} of ${noses} noses in a box of their own, ${falseBoxes} other boxes`);
        const crowds = [];
        for (let i = 0; i < mosaics; i++) {
          const names = people.slice(i * grid ** 2, (i + 1) * grid ** 2);
          crowds.push(await findMosaic(client, names, { grid, cell }));
          log(`mosaic ${i + 1}: ${crowds[i].found} of ${names.length} found, ${crowds[i].extra} other boxes`);
        }
        const cells = spread(crowds.map((crowd) => crowd.found));
        return {
          figures: { noses, found, falseBoxes, photos, mosaic: { cells, crowds } },
          ...(models ? { variant: models.replaceAll('=', '-').replaceAll(',', '-') } : {}),
        };
      } finally {
        client.close();
      }
    };
    return withService(measure, { env });
  },

  bars({ noses, found, falseBoxes, photos, mosaic }, { mosaics, grid, cell }) {
    const faces = grid ** 2;
    return [
      {
        what: 'Annotated noses inside a returned box',
        value: (100 * found) / noses,
        unit: '%',
        bar: 100,
        better: 'higher',
        sample: sampleOf(found, noses, `faces in ${photos.length} photographs`),
      },
      {
        what: 'Boxes without an annotated nose',
        value: falseBoxes,
        unit: '',
        bar: 0,
        better: 'lower',
        sample: { n: found + falseBoxes, of: 'boxes' },
      },
      {
        what: `Found in a ${grid}x${grid} mosaic at ${cell} px, worst of ${mosaics}`,
        value: mosaic.cells.min,
        unit: '',
        bar: Math.ceil(0.98 * faces),
        better: 'higher',
        sample: { n: faces, of: 'faces', range: [mosaic.cells.min, mosaic.cells.max] },
      },
    ];
  },

  report({ noses, found, falseBoxes, photos, mosaic }) {
    const imperfect = photos.filter(
      (/** @type {{ noses: number, found: number, extra: number }} */ p) => p.found < p.noses || p.extra > 0,
    );
    return [
      {
        title: 'Found',
        columns: ['Material', 'Faces', 'Found', 'Other boxes'],
        rows: [
          [`${photos.length} photographs`, noses, found, falseBoxes],
          ...imperfect.map(
            (/** @type {{ name: string, noses: number, found: number, extra: number }} */ p) => [
              `of these: ${p.name}`,
              p.noses,
              p.found,
              p.extra,
            ],
          ),
          [
            `${mosaic.crowds.length} mosaics of different people`,
            mosaic.crowds[0]?.cells ?? 0,
            range(mosaic.cells),
            range(spread(mosaic.crowds.map((/** @type {{ extra: number }} */ { extra }) => extra))),
          ],
        ],
        remark: `A nose counts with a box of its own. A mosaic cell holds the central ${FACE_SIDE} px of an LFW picture; it counts with the first box whose centre lies in it, every further box is another. Mosaics: median (lowest to highest).`,
      },
    ];
  },
};

/** @param {Client} client @param {ReturnType<typeof annotatedPhotographs>[number]} photograph */
async function findNoses(client, { name, bytes, noses }) {
  const size = await sharp(bytes).metadata();
  const { reply, ms } = await client.ask(detectJob(bytes));
  const boxes = reply.faces.map((/** @type {any} */ face) => face.boundingBox);
  const points = noses.map(([x, y]) => /** @type {[number, number]} */ ([x / size.width, y / size.height]));
  const found = matchPoints(points, boxes).filter((box) => box !== undefined).length;
  return {
    name,
    width: size.width,
    height: size.height,
    noses: noses.length,
    found,
    extra: boxes.length - found,
    ms,
  };
}

/**
 * @param {Client} client
 * @param {string[]} names
 * @param {{ grid: number, cell: number }} options
 */
async function findMosaic(client, names, { grid, cell }) {
  const composed = await drawMosaic(names, { grid, cell });
  const { reply, ms } = await client.ask(detectJob(composed));
  /** @type {Set<number>} */
  const cells = new Set();
  for (const { boundingBox } of reply.faces) {
    const [x, y] = centreOf(boundingBox);
    cells.add(Math.floor(y * grid) * grid + Math.floor(x * grid));
  }
  const missed = names.filter((_, i) => !cells.has(i));
  return {
    cells: names.length,
    found: names.length - missed.length,
    extra: reply.faces.length - cells.size,
    missed,
    ms,
  };
}

/** @param {string[]} names @param {{ grid: number, cell: number }} options */
async function drawMosaic(names, { grid, cell }) {
  const tiles = await Promise.all(
    names.map(async (name, i) => ({
      input: await (await central(lfwPicture(name), FACE_SIDE)).resize(cell, cell).png().toBuffer(),
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
