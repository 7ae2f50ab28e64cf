/**
 * Rendered presentation attacks: each attempt is filmed frame by frame, guided by the gateway's own guidance over the real
 * inference tier, and judged by the gateway's own verdict. A head that is rendered from one photo and follows the
 * guidance is a puppet, an attack that a script could make, and not a genuine user. So nothing here is a BPCER.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectJob, framesJob, mapConcurrently } from '../lib/client.mjs';
import { atMost } from '../lib/figures.mjs';
import { evenly, lfwPeople, material } from '../lib/material.mjs';
import { cells } from '../lib/report.mjs';
import { Skip } from '../lib/skip.mjs';
import { clopperPearson, mean, sampleOf, sum } from '../lib/stats.mjs';
import { withTier } from '../lib/tier.mjs';
import { loadTypescript } from '../lib/typescript.mjs';

const people = (name) => loadTypescript('gateway', 'test', 'liveness', 'people', `${name}.ts`);
const { loadPeople } = people('people');
const { samplePhotos } = people('fits');
const { attackSpecies, genuineSpecies, luckyReplay } = people('species');
const { recordAttempt } = people('attempt');
const verdict = (name) => loadTypescript('gateway', 'src', 'services', 'liveness', 'verdict', name);
const { judge } = verdict('verdict.ts');
const { challengesOf } = verdict('gather.ts');
const { sequencesOf, turnsAfter } = loadTypescript(
  ...['gateway', 'src', 'services', 'liveness', 'capture', 'steps.ts'],
);

/** A step counts as done after this time, in milliseconds. */
const patienceMs = { genuine: 15_000, attack: 2200, recording: 8000 };
/** Orders of turns that the server may request in the first attempt of a session. */
const ORDERS = sequencesOf(turnsAfter(0));

/** @type {import('../lib/types').Measurement} */
export const presentations = {
  name: 'accuracy/presentations',
  question:
    'Which rendered presentation attacks does the verdict reject, by which rule, and which pass (APCER)?',
  conditions: { attacks: 30, genuine: 6, more: 28, concurrency: 3 },
  quick: { attacks: 1, genuine: 1, more: 0 },

  async run({ attacks, genuine, more, concurrency }, log) {
    const cast = await loadPeople([...samplePhotos, ...morePhotos(more, log)]);
    const all = [...genuineSpecies, ...attackSpecies];
    const jobs = all.flatMap((species) =>
      Array.from({ length: species.genuine ? genuine : attacks }, (_, seed) => ({ species, seed })),
    );
    return withTier(async ({ client }) => {
      let done = 0;
      const rows = await mapConcurrently(jobs, concurrency, async ({ species, seed }) => {
        const row = await present(client, cast, species, seed);
        if (++done % 30 === 0) log(`${done} of ${jobs.length}`);
        return row;
      });
      const bySpecies = all.map(({ name }) => countRows(rows.filter(({ species }) => species === name)));
      for (const one of bySpecies) log(`${one.species}: ${one.live} of ${one.count} live`);
      return { people: cast.length, bySpecies, samples: await measureSamples(client) };
    });
  },

  summarize({ people: cast, bySpecies, samples }) {
    const attacks = bySpecies.filter(({ genuine }) => !genuine);
    const puppets = bySpecies.filter(({ genuine }) => genuine);
    const worst = attacks.reduce((a, b) => (apcerBound(b) > apcerBound(a) ? b : a));
    const [live, count] = [sum(puppets.map((one) => one.live)), sum(puppets.map((one) => one.count))];
    const columns =
      'Species | Presentations | Accepted as live | APCER | 95 % upper bound | Stopped by the guidance | Rejected by | Mean confidence';
    return {
      figures: [
        apcer(
          '95 % upper bound, worst of the species that do not follow the instructions',
          worst.live,
          worst.count,
          apcerBound(worst),
          `presentations of each of ${attacks.length} species`,
        ),
        apcer('puppets that follow the instructions', live, count),
      ],
      tables: [
        {
          title: 'Attacks that do not follow the instructions',
          columns,
          rows: attacks.map(cellsOf),
          remark: `${cast} people, rendered from photos. The verdict is measured by itself: a step that the guidance never accepts counts as done after 2.2 s. "Stopped by the guidance" counts presentations that would never have reached a verdict. Several rules may reject one attempt. We tried no real camera, mask or silicone head, so these figures show that each rule works and say nothing about other attacks.`,
        },
        {
          title: 'Puppets that follow the instructions',
          columns,
          rows: puppets.map(cellsOf),
          remark:
            'Each puppet is a head rendered from one photo, driven by a script, in its own light, place and pace. It behaves like a genuine user, and the check accepts it as one. Genuine users were not measured: BPCER and ACER (ISO/IEC 30107-3) are unknown. A puppet that the guidance stops for 15 s in one step counts as rejected.',
        },
        ...(samples.length > 0
          ? [
              {
                title: 'Photos of attacks, one frame each',
                columns: 'Photo | antispoof | passive liveness | screen',
                rows: samples.map((one) => [one.name, one.antispoof, one.liveness, one.screen]),
                remark: 'A single frame decides nothing: these rows show how little the passive signals say.',
              },
            ]
          : []),
      ],
      data: { attackSpecies: attacks.map(({ species }) => species) },
    };
  },
};

/**
 * An earlier attempt, replayed until the server requests its turns in the recorded order.
 * @type {import('../lib/types').Measurement}
 */
export const recordings = {
  name: 'accuracy/recordings',
  question: 'How often does a recorded attempt pass when its order of turns happens to be the requested one?',
  conditions: { count: 30, concurrency: 3 },
  quick: { count: 2 },

  async run({ count, concurrency }) {
    const cast = await loadPeople();
    const seeds = Array.from({ length: count }, (_, seed) => seed);
    const species = { ...luckyReplay, patienceMs: patienceMs.recording };
    return withTier(async ({ client }) =>
      countRows(await mapConcurrently(seeds, concurrency, (seed) => present(client, cast, species, seed))),
    );
  },

  summarize(seen) {
    const { live, count, stopped } = seen;
    return {
      figures: [apcer('recordings in the requested order', live, count)],
      tables: [
        {
          title: 'Recordings in the requested order',
          columns: `Attempts | Accepted as live | Stopped by the guidance | Rejected by | Overall, with one order in ${ORDERS}`,
          rows: [[count, live, stopped, reasonsOf(seen), `${((100 * live) / count / ORDERS).toFixed(2)} %`]],
          remark:
            'Fed into the browser as a virtual camera would be, and played in a loop at its own pace. Only the chance of the order protects against a recording that fits.',
        },
      ],
    };
  },
};

const apcer = (what, live, count, value = live / count, of = 'presentations') =>
  atMost(`APCER, ${what}`, 100 * value, '%', 5, sampleOf(live, count, of));

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const apcerBound = ({ live, count }) => clopperPearson(live, count)[1];
const reasonsOf = ({ reasons }) => reasons.map(([name, count]) => `${name} ${count}`).join(', ') || '–';
const cellsOf = (one) => [
  ...cells(one, 'species count live'),
  percent(one.live / one.count),
  percent(apcerBound(one)),
  one.stopped,
  reasonsOf(one),
  one.confidence,
];

/** Further portraits, in addition to those of the packages. */
function morePhotos(count, log) {
  if (count === 0) return [];
  try {
    const folder = material('lfw/images');
    return evenly(lfwPeople(), count).map((name) => join(folder, name));
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    log(`${error.message} Only the people of the installed packages appear.`);
    return [];
  }
}

async function present(client, cast, species, seed) {
  const { genuine, name } = species;
  const { subject, ...requested } = await species.present(cast, seed);
  const { images, forced, ...record } = await recordAttempt(subject, {
    ...requested,
    patienceMs: species.patienceMs ?? patienceMs[genuine ? 'genuine' : 'attack'],
    look: async (jpeg) => (await client.request(detectJob(jpeg, 'pose'))).reply.faces,
  });
  const times = record.frames.kept.map((at) => record.frames.arrivalsMs[at]);
  const challenges = challengesOf(record.steps).map(({ kind, fromMs, toMs }) => `${kind}@${fromMs}-${toMs}`);
  const { reply: signals } = await client.request(framesJob(images, times, challenges));
  const { isLive, confidence, reasons } = judge({ ...record, signals });
  return {
    species: name,
    genuine,
    seed,
    forced,
    isLive: isLive && !(genuine && forced),
    confidence,
    reasons,
  };
}

/** @param {readonly Awaited<ReturnType<typeof present>>[]} rows of one species */
function countRows(rows) {
  const [{ species, genuine }] = rows;
  const names = rows.flatMap(({ reasons }) => reasons);
  const reasons = [...new Set(names)].map((name) => [name, names.filter((one) => one === name).length]);
  return {
    species,
    genuine,
    count: rows.length,
    live: rows.filter(({ isLive }) => isLive).length,
    stopped: rows.filter(({ forced }) => forced > 0).length,
    confidence: mean(rows.map(({ confidence }) => confidence)),
    reasons: reasons.sort((a, b) => b[1] - a[1]),
  };
}

/** The passive signals of single photos of attacks, where the material is present. */
async function measureSamples(client) {
  try {
    const folder = material('spoof');
    return await Promise.all(
      readdirSync(folder).map(async (name) => {
        const image = readFileSync(join(folder, name));
        const { reply } = await client.request(framesJob([image, image], [0, 1]));
        const [{ face }] = reply.frames;
        return { name, ...face?.passive, screen: reply.screen ?? Number.NaN };
      }),
    );
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    return [];
  }
}
