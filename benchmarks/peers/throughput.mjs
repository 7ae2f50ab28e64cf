/**
 * The same images through the service and through what a Node user would pick instead, in turns, several rounds: the
 * ratio of one round compares neighbours in time. Only what our answer holds is asked of the peers.
 */
import { availableParallelism } from 'node:os';
import { Client, compareJob, detectJob, moderateJob, saturate, withoutObjects } from '../lib/client.mjs';
import { demoPhotographs, packageVersion, selfies } from '../lib/material.mjs';
import { figure, range } from '../lib/report.mjs';
import { withService } from '../lib/service.mjs';
import { Skip } from '../lib/skip.mjs';
import { spread, sum } from '../lib/stats.mjs';
import { Peer } from './peer.mjs';

/** @typedef {import('../lib/client.mjs').Job} Job */
/** @typedef {import('../lib/material.mjs').Picture} Picture */

/**
 * @typedef {object} Contest
 * @property {string} title
 * @property {string} operation of ours
 * @property {'human' | 'face-api' | 'nsfwjs'} peer
 * @property {string} package
 * @property {number} bar
 * @property {readonly Job[]} jobs
 * @property {readonly Picture[]} images the pictures of the jobs, in their order
 * @property {object} options of the peer
 * @property {string} asked of the peer, in words
 */

/** @type {import('../lib/types').Measurement} */
export const throughput = {
  name: 'peers/throughput',
  answers:
    'How many images per second does the service answer against the usual Node libraries, same images, same outputs?',
  parameters: { rounds: 3, seconds: 8, perWorker: 4, processes: 'both', nsfwModel: 'MobileNetV2Mid' },

  async run({ rounds, seconds, perWorker, processes, nsfwModel }, log) {
    const single = await selfies();
    const material = { single, photographs: demoPhotographs(), nsfwModel };
    const counts = processesOf(processes);
    return withService(async (service) => {
      const client = new Client(service.url);
      try {
        const contests = await plan(client, material, log);
        const measured = [];
        for (const contest of contests) {
          const concurrency = perWorker * service.workers;
          const figures = await compete(client, contest, { rounds, seconds, concurrency, counts });
          for (const { processes: count, ratio } of figures.peers) {
            log(`${contest.title}, ${count} process(es) of the peer: ${range(ratio)} x`);
          }
          measured.push(figures);
        }
        return {
          bars: measured.map(barOf),
          figures: { workers: service.workers, device: service.device, contests: measured },
        };
      } finally {
        client.close();
      }
    });
  },

  report({ workers, device, contests }) {
    return [
      {
        title: 'Images per second',
        columns: [
          'Ours',
          'Peer',
          'Asked of the peer',
          'Processes',
          'Images, faces (ours, peer)',
          'Ours, img/s',
          'Peer, img/s',
          'Ratio',
        ],
        rows: contests.flatMap((/** @type {any} */ contest) =>
          contest.peers.map((/** @type {any} */ peer) => [
            contest.operation,
            `${contest.package} ${contest.version}`,
            contest.asked,
            peer.processes,
            `${contest.images}; ${contest.faces.ours}, ${contest.faces.peer}`,
            range(contest.ours),
            range(peer.imagesPerSecond),
            `**${figure(peer.ratio.median)}x** (${figure(peer.ratio.min)} to ${figure(peer.ratio.max)})`,
          ]),
        ),
        remark: `Ours: ${workers} workers on ${device}, over HTTP, the client on the same machine. Peers: TFJS's WebAssembly backend, decoding with sharp, warmed; one process is what a user writes, and TFJS's WebAssembly uses one core in Node, so a process per core is the strongest a user could do: bars are against that. Median of the rounds (lowest to highest); the ratio is taken round by round.`,
      },
    ];
  },
};

/** @param {string} processes `1`, `cores` or `both` */
function processesOf(processes) {
  const cores = availableParallelism();
  const counts = processes === 'both' ? [1, cores] : [processes === 'cores' ? cores : Number(processes)];
  if (counts.some((count) => !Number.isInteger(count) || count < 1)) {
    throw new Error(`processes is 1, cores, both or a number, not "${processes}".`);
  }
  return [...new Set(counts)];
}

/**
 * The contests that the tier built here can enter.
 * @param {Client} client
 * @param {{ single: Picture[], photographs: Picture[], nsfwModel: string }} material
 * @param {(line: string) => void} log
 * @returns {Promise<Contest[]>}
 */
async function plan(client, { single, photographs, nsfwModel }, log) {
  const images = [...single, ...photographs];
  // A source yields its largest face alone, so only pictures of one face are sources; then both sides embed all faces.
  const pairs = images.map((target, i) => /** @type {const} */ ([single[i % single.length], target]));
  const compared = pairs.map(([source, target]) => compareJob(source.bytes, target.bytes));
  const attributed = images.map(({ bytes }) => detectJob(bytes, 'all'));
  const { reply } = await client.ask(attributed[1]);
  const modules = modulesFor(reply.faces[0]);
  /** @type {Contest[]} */
  const contests = [
    {
      title: 'attributes against human',
      operation: 'POST /detect, all attributes',
      peer: 'human',
      package: '@vladmandic/human',
      bar: 8,
      jobs: attributed,
      images,
      options: { modules },
      asked: ['detector', ...modules].join(', '),
    },
    {
      title: 'comparison against human',
      operation: 'POST /compare',
      peer: 'human',
      package: '@vladmandic/human',
      bar: 8,
      jobs: compared,
      images: pairs.flat(),
      options: { modules: ['mesh', 'description'] },
      asked: 'detector, mesh, description',
    },
    {
      title: 'comparison against face-api',
      operation: 'POST /compare',
      peer: 'face-api',
      package: '@vladmandic/face-api',
      bar: 8,
      jobs: compared,
      images: pairs.flat(),
      options: {},
      asked: 'SSD, 68 landmarks, descriptor',
    },
    {
      title: 'moderation against nsfwjs',
      operation: 'POST /moderate, Explicit and Suggestive',
      peer: 'nsfwjs',
      package: 'nsfwjs',
      bar: 5,
      jobs: images.map(({ bytes }) => moderateJob(bytes, withoutObjects)),
      images,
      options: { model: nsfwModel },
      asked: `classify (${nsfwModel})`,
    },
  ];
  const available = [];
  for (const contest of contests) {
    // Faces without attributes are no contest of attributes.
    const answered = contest.jobs !== attributed || modules.length > 0;
    if (answered && (await has(client, contest.jobs[0]))) available.push(contest);
    else log(`Left out, the tier built here does not answer it: ${contest.title}.`);
  }
  if (available.length === 0)
    throw new Skip('The inference tier built here has none of the operations to compare.');
  return available;
}

/** @param {Client} client @param {Job} job */
async function has(client, job) {
  return client.ask(job).then(
    () => true,
    (error) => {
      if (error instanceof Skip) return false;
      throw error;
    },
  );
}

/**
 * Human's modules that yield what a face of ours holds.
 * @param {any} face
 */
export function modulesFor(face) {
  const { attributes = {} } = face ?? {};
  /** @param {...string} keys */
  const holds = (...keys) => keys.some((key) => key in attributes || key in face);
  return [
    ...(holds('landmarks', 'pose') ? ['mesh'] : []),
    ...(holds('ageRange', 'gender', 'embedding') ? ['description'] : []),
    ...(holds('emotions') ? ['emotion'] : []),
    ...(holds('antispoof', 'passive') ? ['antispoof'] : []),
    ...(holds('liveness', 'passive') ? ['liveness'] : []),
  ];
}

/**
 * @param {Client} client
 * @param {Contest} contest
 * @param {{ rounds: number, seconds: number, concurrency: number, counts: number[] }} options
 */
async function compete(client, contest, { rounds, seconds, concurrency, counts }) {
  const { jobs, images, title, operation, asked } = contest;
  const peers = await startPeers(contest, Math.max(...counts));
  try {
    const faces = { ours: await facesOf(client, jobs), peer: facesIn(await peers[0].answers()) };
    // Every image once, as the peers had it: nobody's first run is measured.
    await saturate(client, { jobs, concurrency, seconds: 0 });
    /** @type {{ ours: Awaited<ReturnType<typeof saturate>>, theirs: Awaited<ReturnType<typeof together>>[] }[]} */
    const taken = [];
    for (let round = 0; round < rounds; round++) {
      const ours = await saturate(client, { jobs, concurrency, seconds });
      const theirs = [];
      for (const count of counts) theirs.push(await together(peers.slice(0, count), seconds));
      taken.push({ ours, theirs });
    }
    return {
      title,
      operation,
      package: contest.package,
      version: packageVersion(contest.package),
      bar: contest.bar,
      asked,
      images: images.length,
      faces,
      ours: spread(taken.map(({ ours }) => ours.imagesPerSecond)),
      clientCores: spread(taken.map(({ ours }) => ours.clientCores)),
      peers: counts.map((processes, i) => ({
        processes,
        imagesPerSecond: spread(taken.map(({ theirs }) => theirs[i].imagesPerSecond)),
        ratio: spread(taken.map(({ ours, theirs }) => ours.imagesPerSecond / theirs[i].imagesPerSecond)),
        rssMiB: Math.max(...taken.map(({ theirs }) => theirs[i].rssMiB)),
      })),
    };
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
  }
}

/**
 * Faces that the service analyses in one pass: more faces are more work, so both sides are shown.
 * @param {Client} client
 * @param {readonly Job[]} jobs
 */
async function facesOf(client, jobs) {
  let faces = 0;
  for (const job of jobs) {
    const { reply } = await client.ask(job);
    faces += (reply.faces?.length ?? 0) + (reply.source ? 1 : 0) + (reply.targets?.length ?? 0);
  }
  return faces;
}

/** @param {unknown[]} answers of a peer, a list of faces for each image; a classifier has none */
const facesIn = (answers) => sum(answers.map((answer) => (Array.isArray(answer) ? answer.length : 0)));

/** @param {Contest} contest @param {number} count */
async function startPeers({ peer: name, options, images }, count) {
  /** @type {Peer[]} */
  const peers = [];
  try {
    for (let i = 0; i < count; i++) peers.push(await Peer.start({ name, options, images }));
    return peers;
  } catch (error) {
    await Promise.all(peers.map((peer) => peer.stop()));
    throw error;
  }
}

/** @param {Peer[]} peers @param {number} seconds */
async function together(peers, seconds) {
  const runs = await Promise.all(peers.map((peer) => peer.run(seconds)));
  return {
    imagesPerSecond: sum(runs.map(({ images, seconds: taken }) => images / taken)),
    rssMiB: sum(runs.map(({ rssMiB }) => rssMiB)),
  };
}

/**
 * The bar is against the most processes that were tried, one for each core: both sides then have the whole machine.
 * @param {Awaited<ReturnType<typeof compete>>} contest
 * @returns {import('../lib/types').Bar}
 */
export function barOf({ operation, package: name, bar, peers }) {
  const { processes, ratio } = peers[peers.length - 1];
  const against = processes === 1 ? 'one process' : `${processes} processes`;
  return {
    what: `${operation} against ${against} of ${name}, images per second`,
    value: ratio.median,
    unit: 'x',
    bar,
    better: 'higher',
  };
}
