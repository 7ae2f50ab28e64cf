/** Custom categories: how well a few examples of a kind of picture teach it, and what else is then taken for it. */
import sharp from 'sharp';
import { Client, mapConcurrently, moderateJob, prototypeJob } from '../lib/client.mjs';
import { drawnChart, drawnPage } from '../lib/drawn.mjs';
import { demoPhotographs, lfwPeople, lfwPicture } from '../lib/material.mjs';
import { randomFrom } from '../lib/random.mjs';
import { withService } from '../lib/service.mjs';

/** @typedef {{ kind: string, examples: Buffer[], held: Buffer[] }} Kind */

const THRESHOLD = 0.5;
const EXAMPLES = [5, 10, 20];

/** @type {import('../lib/types').Measurement} */
export const categories = {
  name: 'accuracy/categories',
  answers: 'How well does a custom category find its kind of picture after 5, 10 and 20 examples?',
  parameters: { draws: 4, held: 40 },

  async run({ draws, held }, log) {
    const kinds = await makeKinds(held);
    const rows = await withService(async ({ url, workers }) => {
      const client = new Client(url);
      try {
        const measured = [];
        for (const count of EXAMPLES) {
          const prototypes = await teach(client, kinds, { count, draws });
          measured.push(...(await judge(client, kinds, prototypes, { count, draws, lanes: 2 * workers })));
        }
        return measured;
      } finally {
        client.close();
      }
    });
    for (const { kind, count, recall, precision } of rows) {
      log(`${kind}, ${count} examples: recall ${percent(recall)}, precision ${percent(precision)}`);
    }
    return { bars: [], figures: { held, draws, rows } };
  },

  report({ held, draws, rows }) {
    return [
      {
        title: 'Pictures not among the examples, threshold 0.5',
        columns: ['Category', 'Examples', 'Found', 'Right of those found', 'False alarms of the other kinds'],
        rows: rows.map((/** @type {Row} */ row) => [
          row.kind,
          row.count,
          percent(row.recall),
          percent(row.precision),
          percent(row.falseAlarms),
        ]),
        remark: `Mean of ${draws} draws of the examples, each against ${held} pictures of every kind that are never examples. Office photographs: parts of three photographs as examples, of three others as test. Pages and charts are drawn by a program and easier than real ones. Pictures of the same sources, not these alone, are in the background that the categories stand out from.`,
      },
    ];
  },
};

/** @typedef {{ kind: string, count: number, recall: number, precision: number, falseAlarms: number }} Row */

/** @param {number} held @returns {Promise<Kind[]>} */
async function makeKinds(held) {
  const pool = 2 * Math.max(...EXAMPLES);
  const size = pool + held;
  const people = randomFrom(1).shuffled(lfwPeople());
  if (people.length < 3 * size) throw new Error(`LFW has ${people.length} people, ${3 * size} are needed.`);
  /** @param {number} kind @param {(bytes: Buffer) => import('sharp').Sharp | Buffer} make */
  const ofPeople = (kind, make) =>
    mapConcurrently(people.slice(kind * size, (kind + 1) * size), 2, async (name) => {
      const made = make(lfwPicture(name));
      return Buffer.isBuffer(made) ? made : made.jpeg().toBuffer();
    });
  /** @param {(seed: number) => Promise<Buffer>} make */
  const drawn = (make) => mapConcurrently([...Array(size).keys()], 2, make);
  const eyes = { left: 75, top: 95, width: 100, height: 40 };
  const all = {
    'colour portraits': await ofPeople(0, (bytes) => bytes),
    'grey portraits': await ofPeople(1, (bytes) => sharp(bytes).greyscale()),
    'eyes alone': await ofPeople(2, (bytes) => sharp(bytes).extract(eyes).resize(400, 160)),
    'office photographs': [...(await officeParts([0, 1, 2], pool)), ...(await officeParts([3, 4, 5], held))],
    'pages of text': await drawn(drawnPage),
    charts: await drawn(drawnChart),
  };
  return Object.entries(all).map(([kind, pictures]) => ({
    kind,
    examples: pictures.slice(0, pool),
    held: pictures.slice(pool),
  }));
}

/** Parts of 55 to 100 % of each side. @param {readonly number[]} which @param {number} count */
function officeParts(which, count) {
  const photographs = demoPhotographs();
  return mapConcurrently([...Array(count).keys()], 2, async (i) => {
    const { bytes } = photographs[which[i % which.length]];
    const random = randomFrom(i);
    const { width = 0, height = 0 } = await sharp(bytes).metadata();
    const scale = 0.55 + 0.45 * random.next();
    const part = { width: Math.round(scale * width), height: Math.round(scale * height) };
    const left = random.whole(0, width - part.width + 1);
    const top = random.whole(0, height - part.height + 1);
    return sharp(bytes)
      .extract({ left, top, ...part })
      .jpeg()
      .toBuffer();
  });
}

/**
 * @param {Client} client
 * @param {readonly Kind[]} kinds
 * @param {{ count: number, draws: number }} options
 * @returns {Promise<Buffer[]>} encoded prototypes, `draws` of each kind
 */
async function teach(client, kinds, { count, draws }) {
  const prototypes = [];
  for (const { examples } of kinds) {
    for (let draw = 0; draw < draws; draw++) {
      const chosen = randomFrom(1000 * count + draw)
        .shuffled(examples)
        .slice(0, count);
      const { reply } = await client.ask(prototypeJob(chosen));
      prototypes.push(Buffer.from(reply.prototype, 'base64'));
    }
  }
  return prototypes;
}

/** As many prototypes as one request may bring. */
const AT_ONCE = 20;

/**
 * @param {Client} client
 * @param {readonly Kind[]} kinds
 * @param {readonly Buffer[]} prototypes
 * @param {{ count: number, draws: number, lanes: number }} options
 * @returns {Promise<Row[]>}
 */
async function judge(client, kinds, prototypes, { count, draws, lanes }) {
  const pictures = kinds.flatMap(({ held }, kind) => held.map((bytes) => ({ kind, bytes })));
  const confidences = await mapConcurrently(pictures, lanes, async ({ bytes }) => {
    /** @type {number[]} */
    const all = [];
    for (let start = 0; start < prototypes.length; start += AT_ONCE) {
      const some = Buffer.concat(prototypes.slice(start, start + AT_ONCE));
      const { reply } = await client.ask(moderateJob(bytes, { categories: [], prototypes: some }));
      all.push(...reply.custom);
    }
    return all;
  });
  return kinds.map(({ kind, held }, own) => {
    let right = 0;
    let wrong = 0;
    for (let draw = 0; draw < draws; draw++) {
      pictures.forEach((picture, i) => {
        if (confidences[i][own * draws + draw] < THRESHOLD) return;
        if (picture.kind === own) right++;
        else wrong++;
      });
    }
    const others = pictures.length - held.length;
    return {
      kind,
      count,
      recall: right / (draws * held.length),
      precision: right / (right + wrong),
      falseAlarms: wrong / (draws * others),
    };
  });
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(1)} %`;
