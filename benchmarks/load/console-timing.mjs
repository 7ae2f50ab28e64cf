/** Whether the time of a response of the console reveals that an email address belongs to somebody. */
import { Agent, request } from 'node:http';
import { admin, redisCommand, startGateway, startRedis } from '../../gateway/harness/index.mjs';
import { randomFrom } from '../../gateway/harness/random.mjs';
import { atMost } from '../lib/figures.mjs';
import { figure } from '../lib/report.mjs';
import { median, percentile } from '../lib/stats.mjs';

const CONSOLE = 'http://console.localhost';
const PASSWORD = 'correct-horse battery 42 staple';
const WARM_UP = 30;
/** Deletes the counters of guesses and mails, which would refuse all further calls. */
const FORGET_ATTEMPTS =
  "for _, key in ipairs(redis.call('KEYS', 'presenza:failures:*')) do redis.call('DEL', key) end return 1";

/** Each by an address that belongs to somebody, and by one that does not. */
const calls = {
  'sign-in': { path: '/sign-in', status: 401, body: (email) => ({ email, password: 'not the password' }) },
  'sign-up': { path: '/sign-up', status: 200, body: (email) => ({ email }) },
  reset: { path: '/reset', status: 200, body: (email) => ({ email }) },
};
const addresses = { known: 'known@example.com', unknown: 'nobody@example.com' };

/** @type {import('../lib/types').Measurement} */
export const consoleTiming = {
  name: 'load/console-timing',
  question: 'Does the time of a response of the console reveal whether an email address is known?',
  conditions: { requests: 1000, seed: 1 },
  quick: { requests: 20 },

  async run({ requests, seed }, log) {
    const redis = await startRedis();
    const env = { REDIS_URL: redis.url, INFERENCE_URL: 'http://127.0.0.1:1' };
    const gateway = await startGateway({ ...env, CONSOLE: 'on', CONSOLE_URL: CONSOLE });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (path, body) => askOn(agent, gateway.url, path, body);
    try {
      await signUp(ask, addresses.known, env);
      const random = randomFrom(seed);
      const kinds = Object.keys(calls).flatMap((call) => Object.keys(addresses).map((who) => [call, who]));
      /** @type {Record<string, number[]>} */
      const taken = Object.fromEntries(kinds.map(([call, who]) => [`${call}, ${who}`, []]));
      for (let i = -WARM_UP; i < requests; i++) {
        await redisCommand(redis.url, ['EVAL', FORGET_ATTEMPTS, '0']);
        // The order changes, so that no kind always follows the same one.
        for (const [call, who] of random.shuffled(kinds)) {
          const { path, status: expected, body } = calls[call];
          const { status, ms } = await ask(path, body(addresses[who]));
          if (status !== expected) throw new Error(`${call} responded with ${status}.`);
          if (i >= 0) taken[`${call}, ${who}`].push(ms);
        }
      }
      const chances = Object.keys(calls).map((call) => {
        const chance = chanceOf(taken[`${call}, known`], taken[`${call}, unknown`]);
        log(`${call}: ${figure(chance)}`);
        return { call, chance };
      });
      const times = Object.entries(taken).map(([kind, ms]) => ({
        kind,
        p5Ms: percentile(ms, 5),
        p50Ms: median(ms),
        p95Ms: percentile(ms, 95),
      }));
      return { chances, times, requests };
    } finally {
      agent.destroy();
      await gateway.stop();
      await redis.stop();
    }
  },

  summarize: ({ chances, times, requests }) => ({
    figures: chances.map(({ call, chance }) =>
      atMost(
        `Chance to distinguish known and unknown addresses by the time of ${call} (0.5: guessing)`,
        chance,
        '',
        0.55,
      ),
    ),
    tables: [
      {
        title: 'Time of a response',
        columns: 'Call and address | p5, ms | Median, ms | p95, ms | Requests',
        rows: times.map(({ kind, p5Ms, p50Ms, p95Ms }) => [kind, p5Ms, p50Ms, p95Ms, requests]),
        remark:
          'One connection, one request after the other, the kinds in a new order each time. The limits on guesses and mails are lifted; in service, they allow 10 guesses in 15 minutes and 5 mails an hour for an address.',
      },
    ],
  }),
};

/** A person with a password. The mail of the sign-up is in the mailbox of operators. */
async function signUp(ask, email, env) {
  await ask('/sign-up', { email });
  for (;;) {
    const { mails } = await admin(['mails', 'list'], env);
    const ticket = /#(\w{43})/.exec(mails[0]?.text ?? '')?.[1];
    if (!ticket) continue;
    const { status } = await ask('/sign-up/confirm', { ticket, password: PASSWORD });
    if (status !== 200) throw new Error(`The sign-up responded with ${status}.`);
    return;
  }
}

/** @returns {Promise<{ status: number, ms: number }>} */
function askOn(agent, url, path, body) {
  const headers = { 'content-type': 'application/json', origin: CONSOLE };
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const call = request(`${url}/console/api${path}`, { agent, method: 'POST', headers }, (response) => {
      const ms = performance.now() - begin;
      response.resume().on('end', () => resolve({ status: response.statusCode ?? 0, ms }));
    });
    call.on('error', reject).end(JSON.stringify(body));
  });
}

/**
 * The chance to guess from one time of each kind which is which: the share of pairs in which the first took longer (Mann
 * and Whitney), from 0.5 up.
 * @param {readonly number[]} times
 * @param {readonly number[]} other
 */
export function chanceOf(times, other) {
  let wins = 0;
  for (const a of times) for (const b of other) wins += a > b ? 1 : a === b ? 0.5 : 0;
  const share = wins / (times.length * other.length);
  return Math.max(share, 1 - share);
}
