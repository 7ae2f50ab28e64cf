/**
 * Sends the same images through the service and through the libraries that a Node user would choose instead, alternating
 * in several rounds. A ratio compares the two sides of one round. The peers compute only what our response contains.
 */
import { availableParallelism } from 'node:os';
import {
  compareJob,
  detectJob,
  mapConcurrently,
  moderateJob,
  sendFor,
  withoutObjects,
} from '../lib/client.mjs';
import { medianAtLeast } from '../lib/figures.mjs';
import { demoPhotos, packageVersion, selfies } from '../lib/material.mjs';
import { figure, range } from '../lib/report.mjs';
import { spread, sum } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';
import { Peer } from './peer.mjs';

/**
 * @typedef {object} Contest
 * @property {string} operation ours
 * @property {'human' | 'face-api' | 'nsfwjs'} peer
 * @property {string} package
 * @property {number} target
 * @property {number} [imagesPerJob] default: 1
 * @property {readonly import('../lib/client.mjs').Job[]} jobs
 * @property {readonly import('../lib/material.mjs').Photo[]} images of the jobs, in their order
 * @property {object} options of the peer
 * @property {string} modules of the peer, for the table
 */

/** @type {import('../lib/types').Measurement} */
export const throughput = {
  name: 'peers/throughput',
  question:
    'How many images a second does the service process against the usual Node libraries, same images, same outputs?',
  conditions: { rounds: 3, seconds: 8, perWorker: 4 },
  quick: { rounds: 1, seconds: 1 },

  async run({ rounds, seconds, perWorker }, log) {
    const single = await selfies();
    const counts = [...new Set([1, availableParallelism()])];
    return withTier(async ({ client, workers, device }) => {
      const measured = [];
      for (const contest of contestsOf(single, demoPhotos())) {
        const options = { rounds, seconds, concurrency: perWorker * workers, counts };
        const result = await compete(client, contest, options);
        for (const { processes: count, ratio } of result.peers)
          log(`${contest.operation} against ${count} process(es) of ${contest.package}: ${range(ratio)} x`);
        measured.push(result);
      }
      return { workers, device, contests: measured };
    });
  },

  summarize: ({ workers, device, contests }) => ({
    figures: contests.map(figureOf),
    tables: [
      {
        title: 'Images per second',
        columns:
          'Ours | Peer | Modules of the peer | Processes | Images, faces (ours, peer) | Ours, img/s | Peer, img/s | Ratio',
        rows: contests.flatMap((contest) =>
          contest.peers.map((peer) => [
            contest.operation,
            `${contest.package} ${contest.version}`,
            contest.modules,
            peer.processes,
            `${contest.images}; ${contest.faces.ours}, ${contest.faces.peer}`,
            range(contest.ours),
            range(peer.imagesPerSecond),
            `**${figure(peer.ratio.median)}x** (${figure(peer.ratio.min)} to ${figure(peer.ratio.max)})`,
          ]),
        ),
        remark: `Ours: ${workers} workers on ${device}, over HTTP, with the client on the same machine. Peers: the WebAssembly backend of TFJS, decoding with sharp, warmed up. One process is the usual program; TFJS's WebAssembly uses one core in Node, so a process per core is the strongest setup, and targets are against that. Median of the rounds (lowest to highest); the ratio is taken round by round.`,
      },
    ],
  }),
};

/** The same model of nsfwjs as in the service. */
const NSFW_MODEL = 'MobileNetV2Mid';
/** Modules of human that compute what our response with all attributes contains. */
const ALL_MODULES = ['mesh', 'description', 'emotion'];

/** @returns {Contest[]} */
function contestsOf(single, photos) {
  const images = [...single, ...photos];
  // Only the largest face of a source counts, so sources show one face; then both sides embed all faces.
  const pairs = images.map((target, i) => [single[i % single.length], target]);
  const jobs = pairs.map(([source, target]) => compareJob(source.bytes, target.bytes));
  const compare = { operation: 'POST /compare', jobs, imagesPerJob: 2, images: pairs.flat() };
  return [
    {
      operation: 'POST /detect, all attributes',
      peer: 'human',
      package: '@vladmandic/human',
      target: 8,
      jobs: images.map(({ bytes }) => detectJob(bytes, 'all')),
      images,
      options: { modules: ALL_MODULES },
      modules: ['detector', ...ALL_MODULES].join(', '),
    },
    {
      ...compare,
      peer: 'human',
      package: '@vladmandic/human',
      target: 6,
      options: { modules: ['mesh', 'description'] },
      modules: 'detector, mesh, description',
    },
    {
      ...compare,
      peer: 'face-api',
      package: '@vladmandic/face-api',
      target: 13,
      options: {},
      modules: 'SSD, 68 landmarks, descriptor',
    },
    {
      operation: 'POST /moderate, Explicit and Suggestive',
      peer: 'nsfwjs',
      package: 'nsfwjs',
      target: 4,
      jobs: images.map(({ bytes }) => moderateJob(bytes, withoutObjects)),
      images,
      options: { model: NSFW_MODEL },
      modules: `classify (${NSFW_MODEL})`,
    },
  ];
}

/** @param {Contest} contest */
async function compete(client, contest, { rounds, seconds, concurrency, counts }) {
  const { jobs, images, imagesPerJob = 1, operation, modules, target } = contest;
  const peers = [];
  try {
    for (let i = 0; i < Math.max(...counts); i++)
      peers.push(await Peer.start({ name: contest.peer, options: contest.options, images }));
    // A first pass warms the service up, as for the peers.
    const first = await mapConcurrently(jobs, concurrency, async (job) => (await client.request(job)).reply);
    const faces = { ours: sum(first.map(facesOf)), peer: facesIn(await peers[0].results()) };
    const taken = [];
    for (let round = 0; round < rounds; round++) {
      const ours = imagesPerJob * (await sendFor(client, { jobs, concurrency, seconds })).perSecond;
      const theirs = [];
      for (const count of counts) theirs.push(await runTogether(peers.slice(0, count), seconds));
      taken.push({ ours, theirs });
    }
    return {
      operation,
      package: contest.package,
      version: packageVersion(contest.package),
      target,
      modules,
      images: images.length,
      faces,
      ours: spread(taken.map(({ ours }) => ours)),
      peers: counts.map((processes, i) => ({
        processes,
        imagesPerSecond: spread(taken.map(({ theirs }) => theirs[i])),
        ratio: spread(taken.map(({ ours, theirs }) => ours / theirs[i])),
      })),
    };
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
  }
}

/** Faces that the service analyzes for a response: more faces are more work, so both counts are shown. */
const facesOf = ({ faces, source, targets }) =>
  (faces?.length ?? 0) + (source ? 1 : 0) + (targets?.length ?? 0);

/** Results are a list of faces for each image; a classifier has none. */
const facesIn = (results) => sum(results.map((result) => (Array.isArray(result) ? result.length : 0)));

/** Images per second of all processes together. */
async function runTogether(peers, seconds) {
  const runs = await Promise.all(peers.map((peer) => peer.run(seconds)));
  return sum(runs.map((run) => run.images / run.seconds));
}

/**
 * Compares with the most processes that were measured, one for each core: both sides then have the whole machine.
 * @returns {import('../lib/types').Figure}
 */
export function figureOf({ operation, package: name, target, peers }) {
  const { processes, ratio } = peers[peers.length - 1];
  const against = processes === 1 ? 'one process' : `${processes} processes`;
  return medianAtLeast(`${operation} against ${against} of ${name}, images per second`, ratio, 'x', target);
}
