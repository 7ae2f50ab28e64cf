/**
 * Attacks by someone who has read the code of the check, knows its models and sends frames himself. They are reported apart
 * from the presentations of `accuracy/presentations`, which no one optimizes against the check. Attempts are simulated as
 * there: with the gateway's guidance and verdict over the real inference tier. A sample of them also attacks a whole service
 * over HTTP, with signed frames in real time.
 */
import { startService } from '../../../gateway/harness/index.mjs';
import { clopperPearson } from '../../lib/stats.mjs';
import { withTier } from '../../lib/tier.mjs';
import { apcer, countRows } from '../species-rates.mjs';
import { effortOf, efforts, openAttacker } from './attacker.mjs';
import { whiteBoxSpecies } from './attacks.mjs';
import { attack } from './script.mjs';
import { simulateAll } from './workers.mjs';

/** @param {(kind: string) => boolean} includes @returns {string[]} the names of kinds */
const kindsWhere = (includes) => whiteBoxSpecies.map(({ name }) => name).filter(includes);
const isReplay = (/** @type {string} */ kind) => kind.startsWith('old frames');

/**
 * @param {{ name: string, question: string, kinds: readonly string[], overHttp: number, title: string, attackers: string }} part
 * @returns {import('../../lib/types').Measurement}
 */
const measurementOf = ({ name, question, kinds: allKinds, overHttp, title, attackers }) => ({
  name,
  question,
  conditions: { count: 30, overHttp, processes: 3, kinds: 'all', ...efforts },
  quick: { count: 1, overHttp: 0, processes: 1 },

  async run({ count, overHttp: compared, processes, kinds: chosen, ...conditions }, log) {
    const effort = effortOf(conditions);
    const kinds = allKinds.filter((kind) => chosen === 'all' || chosen.split(';').includes(kind));
    const jobs = kinds.flatMap((kind) => Array.from({ length: count }, (_, seed) => ({ kind, seed })));
    return withTier(async ({ url }) => {
      const { people, rows } = await simulateAll({ tierUrl: url, effort, processes }, jobs, (done) => {
        if (done % 10 === 0) log(`${done} of ${jobs.length}`);
      });
      const bySpecies = kinds.map((kind) => {
        const ofKind = rows.filter(({ species }) => species === kind);
        return { ...countRows(ofKind), matched: ofKind.filter(({ matches }) => matches).length };
      });
      for (const { species, count: n, standard, strict } of bySpecies) {
        log(`${species}: ${standard.live} of ${n} live, strict ${strict.live}`);
      }
      return {
        people,
        bySpecies,
        overHttp:
          compared > 0 ? await compareOverHttp(url, { kinds, rows, effort, count: compared }, log) : [],
      };
    });
  },

  summarize({ people, bySpecies, overHttp }, { amplitude, steps, samples }) {
    const worstFirst = (level) => (a, b) => b[level].live / b.count - a[level].live / a.count;
    return {
      figures: [
        ...apcer(attackers, bySpecies, 'standard', 25),
        ...apcer(`${attackers}, policy strict`, bySpecies, 'strict', 25),
      ],
      tables: [
        {
          title,
          columns:
            'Kind | Attempts | Passed, standard | 95 % interval | Passed, strict | 95 % interval | Passed strict and matches a photo of the victim | Stopped by the guidance, strict | Rejected by, strict',
          rows: bySpecies
            .toSorted(worstFirst('standard'))
            .toSorted(worstFirst('strict'))
            .map(({ species, count, standard, strict, stopped, matched }) => [
              species,
              count,
              standard.live,
              intervalOf(standard.live, count),
              strict.live,
              intervalOf(strict.live, count),
              matched,
              stopped,
              strict.reasons.map(([name, n]) => `${name} ${n}`).join(', ') || '–',
            ]),
          remark: `Each attempt is another seed: another person, room, camera, pace and sequence of turns, with prompts and colors as the service draws them. The attacker follows the prompts, tints his frames with the colors of the page, signs them with a new key and makes them look like a camera: moving background, shake, noise, JPEG. Patterns change the luma by at most ${amplitude} levels, from ${steps} gradient steps at most, each over ${samples} random crops, against every model of the verdict that can refuse. People: ${people.fronts} portraits of LFW from the front, ${people.pairs} people with another from the side, none of whom the probe was trained on; for old frames ${people.standIns} rendered stand-ins, whose earlier capture had no changing light. Both levels judge the same attempts, at sessions with the policy strict, which ask for more turns, so the figures of standard are lower bounds. People repeat. Simulated as the service runs an attempt, without HTTP.`,
        },
        ...(overHttp.length > 0
          ? [
              {
                title: 'The same attacks over HTTP',
                columns:
                  'Kind | Attempts | Passed strict, over HTTP | Passed strict, simulated with the same seeds',
                rows: overHttp.map(({ species, count, live, simulated }) => [
                  species,
                  count,
                  live,
                  simulated,
                ]),
                remark:
                  'A script without a browser against the whole service, with signed frames in real time. Times and prompts differ from those of the simulation, so single attempts may end differently.',
              },
            ]
          : []),
      ],
      data: { kinds: bySpecies.length },
    };
  },
});

export const whiteBox = measurementOf({
  name: 'accuracy/white-box',
  question: 'How many attacks pass whose author has read the code of the check and sends frames himself?',
  kinds: kindsWhere((kind) => !isReplay(kind)),
  overHttp: 4,
  title: 'Attackers who know the code and make frames from photos (CEN/TS 18099), worst first',
  attackers: 'attackers who know the code',
});

export const replays = measurementOf({
  name: 'accuracy/old-frames',
  question: 'How many attacks pass with frames of an earlier capture of the same person, cut to the prompts?',
  kinds: kindsWhere(isReplay),
  overHttp: 0,
  title: 'Frames of an earlier capture, cut to the prompts (CEN/TS 18099), worst first',
  attackers: 'frames of an earlier capture',
});

/** The interval by Clopper and Pearson. */
function intervalOf(hits, n) {
  const [low, high] = clopperPearson(hits, n);
  return `${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`;
}

/** Runs the first seeds against a whole service, except for kinds with patterns, which a busy machine makes too slowly. */
async function compareOverHttp(inferenceUrl, { kinds, rows, effort, count }, log) {
  const attacker = await openAttacker(inferenceUrl, effort);
  // A busy machine needs longer than the default for an attempt.
  const service = await startService({ inferenceUrl, gatewayEnv: { LIVENESS_ATTEMPT_SECONDS: '300' } });
  try {
    const { apiKey } = await service.createAccount();
    const compared = [];
    for (const kind of kinds.filter((each) => !each.includes('perturbed'))) {
      let live = 0;
      for (let seed = 0; seed < count; seed++) {
        const { subject } = await attacker.prepare(kind, { seed, level: 'strict' });
        const session = await createSession(service.url, apiKey);
        const device = `device-${compared.length}-${seed}-of-attacker`;
        const { status, frames } = await attack({ ...session, device }, subject);
        log(`${kind} over HTTP: ${status} after ${frames} frames`);
        if (status === 'completed') live += 1;
      }
      const simulated = rows.filter(({ species, seed }) => species === kind && seed < count);
      compared.push({
        species: kind,
        count,
        live,
        simulated: simulated.filter(({ strict }) => strict.isLive).length,
      });
    }
    return compared;
  } finally {
    await service.stop();
    await attacker.close();
  }
}

async function createSession(url, apiKey) {
  const response = await fetch(`${url}/liveness`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ policy: { level: 'strict' } }),
  });
  const { success, data, error } = /** @type {any} */ (await response.json());
  if (!success) throw new Error(`POST /liveness: ${JSON.stringify(error)}`);
  return { url: `${url}/liveness/${data.sessionId}`, accessToken: data.accessToken };
}
