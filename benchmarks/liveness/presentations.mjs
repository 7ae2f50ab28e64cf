/**
 * Rendered presentations before the verdict: every attempt is filmed frame by frame, led by the gateway's own guidance
 * over the real inference tier, and judged by the gateway's own verdict. A head that is rendered from one photograph and
 * follows the guidance is a puppet: an attack that a script could make, and no genuine user. So nothing here is a BPCER.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, detectJob, framesJob, mapConcurrently } from '../lib/client.mjs';
import { lfwPeople, material } from '../lib/material.mjs';
import { withService } from '../lib/service.mjs';
import { Skip } from '../lib/skip.mjs';
import { clopperPearson, mean, sampleOf, sum } from '../lib/stats.mjs';
import { loadTypescript } from '../lib/typescript.mjs';

const people = (/** @type {string} */ name) =>
  loadTypescript('gateway', 'test', 'liveness', 'people', `${name}.ts`);
const { loadPeople } = people('people');
const { samplePhotos } = people('fits');
const { attackSpecies, genuineSpecies, luckyReplay } = people('species');
const { recordAttempt } = people('attempt');
const { judge } = loadTypescript('gateway', 'src', 'services', 'liveness', 'verdict', 'verdict.ts');

/** How long a step waits for an honest person, an attack, a recording, before it is taken as done; in milliseconds. */
const patienceMs = { genuine: 15_000, attack: 2200, recording: 8000 };

/**
 * @typedef {object} Row
 * @property {string} species
 * @property {boolean} genuine
 * @property {number} seed
 * @property {boolean} isLive
 * @property {number} confidence
 * @property {readonly string[]} reasons
 * @property {number} forced steps that the guidance would not have let pass
 */

/** @type {import('../lib/types').Measurement} */
export const presentations = {
  name: 'liveness/presentations',
  answers:
    'Which rendered presentation attacks does the verdict refuse, by which signal, and which pass (APCER)?',
  parameters: { attacks: 30, genuine: 6, more: 28, concurrency: 3 },

  async run({ attacks, genuine, more, concurrency }, log) {
    const cast = await loadPeople([...samplePhotos, ...morePhotos(more, log)]);
    log(`${cast.length} people`);
    const all = [...genuineSpecies, ...attackSpecies];
    const jobs = all.flatMap((species) =>
      Array.from({ length: species.genuine ? genuine : attacks }, (_, seed) => ({ species, seed })),
    );
    return withService(async ({ url }) => {
      const client = new Client(url);
      try {
        let done = 0;
        const rows = await mapConcurrently(jobs, concurrency, async ({ species, seed }) => {
          const row = await present(client, cast, species, seed);
          if (++done % 30 === 0) log(`${done} of ${jobs.length}`);
          return row;
        });
        const bySpecies = all.map(({ name }) => summarise(rows.filter(({ species }) => species === name)));
        for (const one of bySpecies) log(`${one.species}: ${one.live} of ${one.count} live`);
        return { figures: { people: cast.length, bySpecies, samples: await samples(client) } };
      } finally {
        client.close();
      }
    });
  },

  bars({ bySpecies }) {
    const { attacks, puppets } = kindsOf(bySpecies);
    const worst = worstOf(attacks);
    const [live, count] = [sum(puppets.map(({ live }) => live)), sum(puppets.map(({ count }) => count))];
    return [
      {
        what: 'APCER, 95 % upper bound, worst of the species that do not follow the instructions',
        value: 100 * apcerBound(worst),
        unit: '%',
        bar: 5,
        better: 'lower',
        sample: sampleOf(worst.live, worst.count, `presentations of each of ${attacks.length} species`),
      },
      {
        what: 'APCER, puppets that follow the instructions',
        value: (100 * live) / count,
        unit: '%',
        bar: 5,
        better: 'lower',
        sample: sampleOf(live, count, 'presentations'),
      },
    ];
  },

  report({ people: cast, bySpecies, samples: shown }) {
    const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
    const { attacks, puppets } = kindsOf(bySpecies);
    const columns = [
      'Species',
      'Presentations',
      'Taken as live',
      'APCER',
      '95 % upper bound',
      'Stopped by the guidance',
      'Refused by',
      'Mean confidence',
    ];
    const cells = (/** @type {Summary} */ one) => [
      one.species,
      one.count,
      one.live,
      percent(one.live / one.count),
      percent(apcerBound(one)),
      one.stopped,
      reasonsOf(one),
      one.confidence,
    ];
    return [
      {
        title: 'Attacks that do not follow the instructions',
        columns,
        rows: attacks.map(cells),
        remark: `${cast} people, rendered from photographs. The verdict is measured by itself: a step that the guidance never lets pass is taken as done after 2.2 s. "Stopped by the guidance" counts the presentations that would never have reached a verdict. Several rules may refuse one attempt. No real camera, mask or silicone head was tried, so these figures show that each rule works and say nothing about attacks outside this list.`,
      },
      {
        title: 'Puppets that follow the instructions',
        columns,
        rows: puppets.map(cells),
        remark:
          'Each puppet is a head rendered from one photograph, driven by a script, in its own light, place and pace. It does what a genuine user does, and the check takes it for one. Genuine users were not measured: BPCER and ACER (ISO/IEC 30107-3) are unknown. A puppet that the guidance stops for 15 s in one step counts as refused.',
      },
      ...(shown.length > 0
        ? [
            {
              title: 'Photographs of attacks, one frame each',
              columns: ['Picture', 'antispoof', 'passive liveness', 'screen'],
              rows: shown.map((/** @type {any} */ one) => [
                one.name,
                one.antispoof,
                one.liveness,
                one.screen,
              ]),
              remark: 'One frame answers nothing: shown for how little the passive signals tell.',
            },
          ]
        : []),
    ];
  },
};

/**
 * Somebody's earlier attempt, played to the server until it asks in the recorded order: once in 34 attempts.
 * @type {import('../lib/types').Measurement}
 */
export const recordings = {
  name: 'liveness/recordings',
  answers: 'How often does a recorded attempt pass whose order of turns happens to be the asked one?',
  parameters: { count: 30, concurrency: 3 },

  async run({ count, concurrency }) {
    const cast = await loadPeople();
    const seeds = Array.from({ length: count }, (_, seed) => seed);
    return withService(async ({ url }) => {
      const client = new Client(url);
      try {
        const rows = await mapConcurrently(seeds, concurrency, (seed) =>
          present(client, cast, { ...luckyReplay, patienceMs: patienceMs.recording }, seed),
        );
        return { figures: summarise(rows) };
      } finally {
        client.close();
      }
    });
  },

  bars: ({ live, count }) => [
    {
      what: 'APCER, recordings in the order asked',
      value: (100 * live) / count,
      unit: '%',
      bar: 5,
      better: 'lower',
      sample: sampleOf(live, count, 'presentations'),
    },
  ],

  report: (figures) => [
    {
      title: 'Recordings in the order asked',
      columns: [
        'Attempts',
        'Taken as live',
        'Stopped by the guidance',
        'Refused by',
        'Overall, with one order in 34',
      ],
      rows: [
        [
          figures.count,
          figures.live,
          figures.stopped,
          reasonsOf(figures),
          `${((100 * figures.live) / figures.count / 34).toFixed(2)} %`,
        ],
      ],
      remark:
        'Put into the browser as a virtual camera would, and played in a circle at its own pace. Nothing but the chance of the order stands against a recording that fits.',
    },
  ],
};

/** @param {Summary} one */
const reasonsOf = ({ reasons }) => reasons.map(([name, count]) => `${name} ${count}`).join(', ') || '–';

/** Portraits beside those of the packages. @param {number} count @param {(line: string) => void} log */
function morePhotos(count, log) {
  try {
    const everyone = lfwPeople();
    const step = Math.max(1, Math.floor(everyone.length / count));
    const folder = material('lfw/images');
    return everyone
      .filter((_, i) => i % step === 0)
      .slice(0, count)
      .map((name) => join(folder, name));
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    log(`${error.message} Only the people of the installed packages appear.`);
    return [];
  }
}

/**
 * @param {Client} client
 * @param {readonly unknown[]} cast
 * @param {any} species
 * @param {number} seed
 * @returns {Promise<Row>}
 */
async function present(client, cast, species, seed) {
  const { genuine, name } = species;
  const { subject, ...asked } = await species.present(cast, seed);
  const attempt = await recordAttempt(subject, {
    ...asked,
    patienceMs: species.patienceMs ?? patienceMs[genuine ? 'genuine' : 'attack'],
    look: async (/** @type {Buffer} */ jpeg) => (await client.ask(detectJob(jpeg, 'pose'))).reply.faces,
  });
  const { images, forced, ...books } = attempt;
  const times = books.frames.kept.map((/** @type {number} */ at) => books.frames.arrivalsMs[at]);
  const challenges = books.steps
    .slice(1)
    .map((/** @type {any} */ { movement, fromMs, toMs }) => `${movement}@${fromMs}-${toMs}`);
  const { reply: signals } = await client.ask(framesJob(images, times, challenges));
  const { isLive, confidence, reasons } = judge({ ...books, signals });
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

/** @typedef {ReturnType<typeof summarise>} Summary */

/** @param {readonly Row[]} rows of one species */
function summarise(rows) {
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
    reasons: reasons.sort((a, b) => Number(b[1]) - Number(a[1])),
    /** Seeds of errors, to look at them again. */
    errors: rows.filter(({ isLive }) => isLive !== genuine).map(({ seed }) => seed),
  };
}

/** @param {readonly Summary[]} bySpecies */
const kindsOf = (bySpecies) => ({
  attacks: bySpecies.filter(({ genuine }) => !genuine),
  puppets: bySpecies.filter(({ genuine }) => genuine),
});

/** @param {readonly Summary[]} attacks */
const worstOf = (attacks) =>
  attacks.reduce((worst, one) => (apcerBound(one) > apcerBound(worst) ? one : worst));

/** @param {{ live: number, count: number }} species */
const apcerBound = ({ live, count }) => clopperPearson(live, count)[1];

/** What single photographs of attacks show, where the material is at hand. @param {Client} client */
async function samples(client) {
  try {
    const folder = material('spoof');
    return Promise.all(
      readdirSync(folder).map(async (name) => {
        const image = readFileSync(join(folder, name));
        const { reply } = await client.ask(framesJob([image, image], [0, 1]));
        const [{ face }] = reply.frames;
        return { name, ...face?.passive, screen: reply.screen ?? Number.NaN };
      }),
    );
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    return [];
  }
}
