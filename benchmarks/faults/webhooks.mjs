/** Whether every event reaches every receiver in the end, whatever receivers do, and whether they delay each other. */
import { admin, createAccount, unlimited } from '../lib/gateway.mjs';
import { figure } from '../lib/report.mjs';
import { cancelledSession } from '../lib/sessions.mjs';
import { percentile } from '../lib/stats.mjs';
import { startReceiver, well } from './receiver.mjs';
import { pause } from './rehearse.mjs';
import { setStage } from './stage.mjs';

/** @typedef {import('./receiver.mjs').Receiver} Receiver */

/** What each does while the fault lasts. */
/** @type {Readonly<Record<string, { begin: (receiver: Receiver) => unknown }>>} */
const manners = {
  well: { begin: () => {} },
  down: { begin: ({ way }) => way.refuse() },
  partitioned: { begin: ({ way }) => way.partition() },
  'slow, 5 s': {
    begin: ({ state }) => answerBy(state, (response) => setTimeout(() => well(response), 5_000)),
  },
  hanging: { begin: ({ state }) => answerBy(state, () => {}) },
  'status 500': { begin: ({ state }) => answerBy(state, (response) => response.writeHead(500).end()) },
  'status 302': {
    begin: ({ state }) =>
      answerBy(state, (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()),
  },
};

/** @param {Receiver['state']} state @param {import('./receiver.mjs').Answer} answer */
function answerBy(state, answer) {
  state.answer = answer;
}

/** Somebody who is well hears of an event within this, whatever the others do. */
const PROMPT_S = 2;

/** Ways to Redis that fail under the deliveries of a receiver that is well. */
/** @type {Readonly<Record<string, (way: import('./proxy.mjs').FaultProxy) => unknown>>} */
const waysToRedis = {
  'Redis partitioned': (way) => way.partition(),
  'Redis gone without a word': (way) => way.halfOpen(),
};
/** A connection that is silent is given up after 15 s, and a delivery under way taken over after 20 s. */
const TAKEOVER_S = 45;

/** @type {import('../lib/types').Measurement} */
export const webhookFaults = {
  name: 'faults/webhooks',
  answers: 'Does every event reach every receiver in the end, and do bad receivers delay good ones?',
  parameters: {
    perSecond: 2,
    steadySeconds: 5,
    faultSeconds: 12,
    afterSeconds: 5,
    waitMinutes: 8,
    deadlineMs: 4_000,
  },

  async run({ perSecond, steadySeconds, faultSeconds, afterSeconds, waitMinutes, deadlineMs }, log) {
    const stage = await setStage({ deadlineMs });
    const receivers = await Promise.all(Object.keys(manners).map(startReceiver));
    try {
      const account = await createAccount(stage.redisUrl, { plan: 'growth', overrides: unlimited });
      for (const { url } of receivers) await makeEndpoint(stage.redisUrl, account.accountId, url);
      const events = startEvents(stage.urls, account.apiKey, perSecond);
      await pause(1e3 * steadySeconds);
      for (const one of receivers) await manners[one.name].begin(one);
      await pause(1e3 * faultSeconds);
      for (const one of receivers) {
        one.state.answer = well;
        await one.way.heal();
      }
      const to = performance.now();
      await pause(1e3 * afterSeconds);
      const made = await events.stop();
      log(`${made.size} events; waiting for the last of them`);
      await untilHeard(receivers, made, 60e3 * waitMinutes);
      const rows = receivers.map((one) => rowOf(one, made, to));
      const lines = [];
      for (const name of Object.keys(waysToRedis)) {
        const url = `${receivers[0].url}?${lines.length}`;
        const other = await createAccount(stage.redisUrl, { plan: 'growth', overrides: unlimited });
        await makeEndpoint(stage.redisUrl, other.accountId, url);
        lines.push(
          await withoutRedis(stage, {
            name,
            apiKey: other.apiKey,
            receiver: receivers[0],
            perSecond,
            faultSeconds,
            afterSeconds,
          }),
        );
      }
      for (const row of [...rows, ...lines])
        log(
          `${row.name}: lost ${row.lost}, ${row.attempts} attempts, delay p95 ${figure(row.p95S)} s, all heard ${figure(row.allS)} s after the fault`,
        );
      const good = rows.find(({ name }) => name === 'well');
      return {
        bars: [
          {
            what: 'Events that a receiver never heard of',
            value: [...rows, ...lines].reduce((sum, { lost }) => sum + lost, 0),
            unit: '',
            bar: 0,
            better: 'lower',
          },
          {
            what: 'Delay of events to a receiver that is well while six others are not, p95',
            value: good?.p95S ?? Number.NaN,
            unit: 's',
            bar: PROMPT_S,
            better: 'lower',
          },
          {
            what: 'Longest until all events were heard after the way to Redis was back',
            value: Math.max(...lines.map(({ allS }) => allS)),
            unit: 's',
            bar: TAKEOVER_S,
            better: 'lower',
          },
          {
            what: 'Sessions that could not be made while Redis was there',
            value: events.failures(),
            unit: '',
            bar: 0,
            better: 'lower',
          },
        ],
        figures: { failures: events.failures(), rows: [...rows, ...lines] },
      };
    } finally {
      for (const one of receivers) await one.close();
      await stage.close();
    }
  },

  report: ({ failures, rows }) => [
    {
      title: 'What became of every event',
      columns: [
        'Receiver or fault',
        'Events',
        'Lost',
        'Heard twice',
        'Attempts',
        'Delay p50, s',
        'p95, s',
        'Longest, s',
        'All heard after the fault, s',
      ],
      rows: rows.map((/** @type {ReturnType<typeof rowOf>} */ row) => [
        row.name,
        row.events,
        row.lost,
        row.repeated,
        row.attempts,
        row.p50S,
        row.p95S,
        row.longestS,
        row.allS,
      ]),
      remark: `One account, seven endpoints, all of them in trouble at the same time but the first; two gateways. Sessions that were made and cancelled while it lasted and before and after it; ${failures} could not be made. The schedule is the real one: 0 s, 5 s, 5 min. Below, the receivers are well and the way from both gateways to Redis is not, for as long.`,
    },
  ],
};

/** @param {string} redisUrl @param {string} accountId @param {string} url */
function makeEndpoint(redisUrl, accountId, url) {
  const args = ['--account', accountId, '--url', url, '--events', 'session.cancelled'];
  return admin(redisUrl, ['webhooks', 'create', ...args], { WEBHOOK_ALLOW_LOOPBACK: 'true' });
}

/**
 * Makes and cancels sessions at a steady rate.
 * @param {readonly string[]} urls
 * @param {string} apiKey
 * @param {number} perSecond
 */
export function startEvents(urls, apiKey, perSecond) {
  /** When each was cancelled. @type {Map<string, number>} */
  const made = new Map();
  /** @type {Set<Promise<unknown>>} */
  const running = new Set();
  let failures = 0;
  let turn = 0;
  const timer = setInterval(() => {
    const one = cancelledSession(urls[turn++ % urls.length], apiKey)
      .then((id) => made.set(id, performance.now()))
      .catch(() => failures++)
      .finally(() => running.delete(one));
    running.add(one);
  }, 1e3 / perSecond);
  return {
    failures: () => failures,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      return made;
    },
  };
}

/** @param {readonly Receiver[]} receivers @param {ReadonlyMap<string, number>} made @param {number} limitMs */
async function untilHeard(receivers, made, limitMs) {
  const begin = performance.now();
  const all = () => receivers.every(({ heard }) => [...made.keys()].every((id) => heard.has(id)));
  while (!all() && performance.now() - begin < limitMs) await pause(200);
}

/**
 * Events for a receiver that is well, while neither gateway has Redis.
 * @param {import('./stage.mjs').Stage} stage
 * @param {{ name: string, apiKey: string, receiver: Receiver, perSecond: number, faultSeconds: number, afterSeconds: number }} options
 */
async function withoutRedis({ urls, ways }, { name, apiKey, receiver, perSecond, ...course }) {
  const attemptsBefore = receiver.attempts();
  const events = startEvents(urls, apiKey, perSecond);
  await pause(1e3 * course.afterSeconds);
  for (const way of ways.redis) waysToRedis[name](way);
  await pause(1e3 * course.faultSeconds);
  for (const way of ways.redis) await way.heal();
  const to = performance.now();
  await pause(1e3 * course.afterSeconds);
  const made = await events.stop();
  await untilHeard([receiver], made, 2e3 * TAKEOVER_S);
  const attempts = () => receiver.attempts() - attemptsBefore;
  return rowOf({ ...receiver, name, attempts }, made, to);
}

/** @param {Pick<Receiver, 'name' | 'heard' | 'attempts'>} receiver @param {ReadonlyMap<string, number>} made @param {number} to end of the fault */
function rowOf({ name, heard, attempts }, made, to) {
  // What was not heard yet took at least until now.
  const now = performance.now();
  const firsts = [...made].map(([id, at]) => ({ at, first: heard.get(id)?.[0] ?? now }));
  const delays = firsts.map(({ at, first }) => Math.max(0, first - at) / 1e3);
  return {
    name,
    events: made.size,
    lost: [...made.keys()].filter((id) => !heard.has(id)).length,
    repeated: [...made.keys()].filter((id) => (heard.get(id)?.length ?? 0) > 1).length,
    attempts: attempts(),
    p50S: percentile(delays, 50),
    p95S: percentile(delays, 95),
    longestS: Math.max(...delays),
    /** From the end of the fault until the last event of before its end was heard. */
    allS: Math.max(0, ...firsts.filter(({ at }) => at <= to).map(({ first }) => first - to)) / 1e3,
  };
}
