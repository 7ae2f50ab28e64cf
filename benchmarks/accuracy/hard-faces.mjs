/** Faces that are hard to find, and people who are photographed upside down. */
import sharp from 'sharp';
import { compareJob, detectJob } from '../lib/client.mjs';
import { atLeastOf, atMost, zero } from '../lib/figures.mjs';
import { evenly, lfwImage, lfwPairs, lfwPeople } from '../lib/material.mjs';
import { percent } from '../lib/report.mjs';
import { clopperPearson, sampleOf, sum } from '../lib/stats.mjs';
import { modelsEnv, modelsVariant, ownModels, withTier } from '../lib/tier.mjs';
import { beside, card, cardBefore, closeUp, hardCases, turnedImage } from './scenes.mjs';
import { startDetector } from './single-detector.mjs';

/** The default of the API. */
const THRESHOLD = 0.8;
const MARGINS = [-0.05, 0, 0.05, 0.1];
const SIDES = [160, 640];
const BYSTANDERS = [30, 36, 42, 48];
const CARDS = [48, 56, 64, 72];
/** The face on a passport is about a fifth as wide as a face, here 520 pixels, and the card is nearer. */
const CARDS_BEFORE = [100, 120, 140];
const HALF_TURNS = [135, 150, 180];
/** The detector looks at images above 320 pixels at both of its sizes. */
const TURNED_SIDES = [250, 600];

/** @typedef {import('./scenes.mjs').Scene} Scene */
/** @typedef {(image: Buffer) => Promise<{ left: number, top: number, width: number, height: number }[]>} Detect boxes in pixels */

/** @type {import('../lib/types').Measurement} */
export const hardFaces = {
  name: 'accuracy/hard-faces',
  question: 'Are faces found that are turned, covered, cut, dark, blurred, small, or beside a near face?',
  conditions: { people: 50, strangers: 45, ...ownModels },
  quick: { people: 3, strangers: 2 },

  async run({ people, strangers, ...models }, log) {
    const names = evenly(lfwPeople(), people);
    const detector = await startDetector('yunet');
    try {
      return await withTier(
        async ({ client }) => {
          const served = async (image) => {
            const { reply } = await client.request(detectJob(image));
            return reply.faces.map(({ boundingBox }) => boundingBox);
          };
          return {
            cases: await findCases(names, { served, alone: detector.detect, log }),
            closeUps: await findCloseUps(names, served),
            neighbors: await findNeighbors(names, served),
            upsideDown: await compareUpsideDown(client, strangers),
          };
        },
        { env: modelsEnv(models) },
      );
    } finally {
      await detector.close();
    }
  },

  summarize({ cases, closeUps, neighbors, upsideDown }, { people, strangers, ...models }) {
    const worst = cases.reduce((most, hardCase) => (hardCase.missed > most.missed ? hardCase : most));
    return {
      figures: [
        atLeastOf('Close-ups with exactly one face', closeUps.single, closeUps.images, 'images', 99),
        zero(
          'Small faces that are found alone but not beside a near face',
          sum(neighbors.map(({ lost }) => lost)),
          { n: sum(neighbors.map(({ alone }) => alone)), items: 'faces found alone' },
        ),
        zero('Strangers upside down that match', upsideDown.matched, {
          n: upsideDown.pairs,
          items: 'pairs',
        }),
        atLeastOf(
          'Photographs that match their own half turn',
          upsideDown.ownMatches,
          upsideDown.ownPairs,
          'pairs',
          100,
        ),
        atMost(
          'Faces that only the detector by itself finds, in the worst case',
          (100 * worst.missed) / worst.images,
          '%',
          2,
          sampleOf(worst.missed, worst.images, 'images'),
        ),
      ],
      tables: [
        {
          title: 'Found',
          columns: 'Case | Images | Found (95 %) | Other boxes | Found by the detector alone at 640 px',
          rows: cases.map(({ name, images, served, other, alone }) => [
            name,
            images,
            `${percent(served / images)} (${clopperPearson(served, images).map(percent).join(' to ')})`,
            other,
            percent(alone / images),
          ]),
          remark:
            'Portraits of LFW, one of each person, drawn as the case says. Found: the center of a box is less than 40 % of the width of the face from the middle of the face, and the box has between half and twice its width.',
        },
        {
          title: 'Close-ups',
          columns: 'Margin around the face | Side in pixels | Images | Exactly one face | None | Several',
          rows: closeUps.rows.map(({ margin, side, images, single, none }) => [
            percent(margin),
            side,
            images,
            percent(single / images),
            none,
            images - single - none,
          ]),
        },
        {
          title: 'Beside a near face',
          columns:
            'Small face | Width in pixels | Images | Found alone | Found beside a near face | Lost beside it',
          rows: neighbors.map(({ what, width, images, alone, together, lost }) => [
            what,
            width,
            images,
            alone,
            together,
            lost,
          ]),
          remark: 'The same small face at the same place of the same canvas, with and without a near face.',
        },
        {
          title: 'Upside down',
          columns:
            'Side in pixels | Both images turned by | Pairs of strangers | Match at 0.8 | Without a face',
          rows: upsideDown.rows.map(({ side, degrees, pairs, matched, missed }) => [
            side,
            degrees,
            pairs,
            matched,
            missed,
          ]),
          remark: `A photograph matches its own half turn in ${upsideDown.ownMatches} of ${upsideDown.ownPairs} pairs.`,
        },
      ],
      ...modelsVariant(models),
    };
  },
};

const isFace = (box, { x, y, width }) =>
  Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y) < 0.4 * width &&
  box.width > width / 2 &&
  box.width < 2 * width;

/** @param {Scene} scene @param {(image: Buffer) => Promise<any[]>} served boxes in proportions @returns {Promise<any[]>} boxes in pixels */
async function pixelsOf({ image }, served) {
  const { width = 1, height = 1 } = await sharp(image).metadata();
  return (await served(image)).map((box) => ({
    left: box.left * width,
    top: box.top * height,
    width: box.width * width,
    height: box.height * height,
  }));
}

async function findCases(names, { served, alone, log }) {
  const rows = [];
  for (const { name, draw } of hardCases) {
    const row = { name, images: names.length, served: 0, other: 0, alone: 0, missed: 0 };
    for (const person of names) {
      const scene = await draw(person);
      const [face] = scene.faces;
      const boxes = await pixelsOf(scene, served);
      const hits = boxes.filter((box) => isFace(box, face)).length;
      row.served += Number(hits > 0);
      row.other += boxes.length - hits;
      const isAlone = (await alone(scene.image)).some((box) => isFace(box, face));
      row.alone += Number(isAlone);
      row.missed += Number(isAlone && hits === 0);
    }
    log(
      `${name}: ${row.served} of ${row.images} found, ${row.other} other boxes, ${row.alone} by the detector alone, ${row.missed} by it only`,
    );
    rows.push(row);
  }
  return rows;
}

async function findCloseUps(names, served) {
  const rows = [];
  for (const side of SIDES) {
    for (const margin of MARGINS) {
      const counts = [];
      for (const name of names) counts.push((await served((await closeUp(name, margin, side)).image)).length);
      const count = (wanted) => counts.filter((number) => number === wanted).length;
      rows.push({ margin, side, images: counts.length, single: count(1), none: count(0) });
    }
  }
  return {
    rows,
    images: sum(rows.map(({ images }) => images)),
    single: sum(rows.map(({ single }) => single)),
  };
}

async function findNeighbors(names, served) {
  const rows = [];
  for (const [what, draw, widths] of /** @type {const} */ ([
    ['Bystander', beside, BYSTANDERS],
    ['Card', card, CARDS],
    ['Card before the face', cardBefore, CARDS_BEFORE],
  ])) {
    for (const width of widths) {
      const row = { what, width, images: 0, alone: 0, together: 0, lost: 0 };
      for (const [i, name] of names.entries()) {
        const isFound = async (neighbor) => {
          const scene = await draw(name, neighbor, width);
          return (await pixelsOf(scene, served)).some((box) => isFace(box, scene.faces[0]));
        };
        const alone = await isFound(undefined);
        const together = await isFound(names[(i + 1) % names.length]);
        row.images += 1;
        row.alone += Number(alone);
        row.together += Number(together);
        row.lost += Number(alone && !together);
      }
      rows.push(row);
    }
  }
  return rows;
}

async function compareUpsideDown(client, strangers) {
  const pairs = evenly(
    lfwPairs().filter(({ same }) => !same),
    strangers,
  );
  const matches = async (source, target) => {
    const { reply } = await client.request(compareJob(source, target), [200, 422]);
    return reply.targets?.some(({ similarity }) => similarity >= THRESHOLD);
  };
  const rows = [];
  const people = evenly(lfwPeople(), Math.min(strangers, 21));
  let ownMatches = 0;
  for (const side of TURNED_SIDES) {
    for (const degrees of HALF_TURNS) {
      const row = { side, degrees, pairs: pairs.length, matched: 0, missed: 0 };
      for (const { a, b } of pairs) {
        const match = await matches(await turnedImage(a, degrees, side), await turnedImage(b, degrees, side));
        row.matched += Number(match === true);
        row.missed += Number(match === undefined);
      }
      rows.push(row);
    }
    for (const name of people)
      ownMatches += Number(await matches(lfwImage(name), await turnedImage(name, 180, side)));
  }
  return {
    rows,
    pairs: sum(rows.map((row) => row.pairs)),
    matched: sum(rows.map((row) => row.matched)),
    ownMatches,
    ownPairs: TURNED_SIDES.length * people.length,
  };
}
