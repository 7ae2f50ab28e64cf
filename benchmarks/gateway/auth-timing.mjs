/** Can a caller tell from the time of a refusal why a key was refused? */
import { createHash, randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import { admin, createAccount } from '../lib/gateway.mjs';
import { randomFrom } from '../lib/random.mjs';
import { figure } from '../lib/report.mjs';
import { mannWhitney, median, percentile } from '../lib/stats.mjs';
import { smallBody, withGateway } from './small.mjs';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** @type {import('../lib/types').Measurement} */
export const authTiming = {
  name: 'gateway/auth-timing',
  answers: 'Does the time of a 401 tell whether a key is missing, malformed, unknown, expired or revoked?',
  parameters: { requests: 3_000, seed: 1 },

  async run({ requests, seed }, log) {
    const body = await smallBody();
    return withGateway({ env: { GATEWAY_TRUST_PROXY: '1' } }, async ({ gateway, redis }) => {
      const kinds = await refusedKeys(redis.url);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const random = randomFrom(seed);
      /** @type {Record<string, number[]>} */
      const taken = Object.fromEntries(kinds.map(({ kind }) => [kind, []]));
      /** @type {Record<string, number>} */
      const statuses = {};
      for (let i = -200; i < requests; i++) {
        // In another order each time, so that nobody always follows the same one.
        for (const { kind, key } of random.shuffled(kinds)) {
          const { status, ms } = await ask(agent, gateway.url, { authorization: key(), body });
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (i >= 0) taken[kind].push(ms);
        }
      }
      agent.destroy();
      const kindsSeen = Object.entries(taken).map(([kind, values]) => ({
        kind,
        medianMs: median(values),
        p5Ms: percentile(values, 5),
        p95Ms: percentile(values, 95),
        requests: values.length,
      }));
      const pairs = pairsOf(taken);
      for (const { kind, medianMs } of kindsSeen) log(`${kind}: median ${figure(medianMs)} ms`);
      // A key that was refused a moment ago is refused from memory, whatever it is: that tells of the asker, not of the key.
      const alike = pairs.filter(({ kinds: [one, other] }) => isAgain(one) === isAgain(other));
      if (Object.keys(statuses).some((status) => status !== '401'))
        throw new Error(`Not all were answered 401: ${JSON.stringify(statuses)}`);
      return {
        bars: [
          {
            what: 'One 401 told from another (0.5: guessing), both keys new, or both seen before',
            value: Math.max(...alike.map(({ auc }) => Math.max(auc, 1 - auc))),
            unit: '',
            bar: 0.55,
            better: 'lower',
          },
        ],
        figures: { kinds: kindsSeen, pairs, statuses },
      };
    });
  },

  report({ kinds, pairs, statuses }) {
    return [
      {
        title: 'Time of a refusal',
        columns: ['Key', 'p5, ms', 'Median, ms', 'p95, ms', 'Requests'],
        rows: kinds.map((/** @type {any} */ one) => [
          one.kind,
          one.p5Ms,
          one.medianMs,
          one.p95Ms,
          one.requests,
        ]),
        remark: `One connection, one request after the other, the kinds in a new order each time. Answers by status: ${Object.entries(
          statuses,
        )
          .map(([status, count]) => `${status}: ${count}`)
          .join(', ')}.`,
      },
      {
        title: 'Two kinds told apart',
        columns: ['Kinds', 'Difference of the medians, ms', 'Chance to guess right from one refusal', 'z'],
        rows: pairs.map((/** @type {any} */ pair) => [
          pair.kinds.join(' against '),
          pair.differenceMs,
          Math.max(pair.auc, 1 - pair.auc),
          pair.z,
        ]),
        remark:
          'Mann and Whitney: the share of pairs of refusals, one of each kind, in which the first took longer (0.5: they cannot be told apart), and how many standard errors it lies from 0.5. With thousands of refusals, |z| above 4 means that there is a difference that an attacker who asks as often on the same machine would find; whether a key has the right form, anybody can see without asking.',
      },
    ];
  },
};

/** Keys that no account has, made anew each time where they can be: a cache must not remember them. @param {string} redisUrl */
async function refusedKeys(redisUrl) {
  const { accountId, apiKey } = await createAccount(redisUrl);
  const form = apiKey.slice(0, apiKey.lastIndexOf('_') + 1);
  /** @param {string} what @param {readonly string[]} args */
  const made = async (what, args) => {
    const { apiKey: key, keyId } = await admin(redisUrl, ['keys', 'create', '--account', accountId, ...args]);
    return { what, key, keyId };
  };
  const expiresAt = Date.now() + 1_500;
  const expired = await made('expired', ['--expires-at', new Date(expiresAt).toISOString()]);
  const revoked = await made('revoked', []);
  await admin(redisUrl, ['keys', 'revoke', '--account', accountId, '--key', revoked.keyId]);
  await new Promise((resolve) => setTimeout(resolve, expiresAt - Date.now()));
  return [
    { kind: 'malformed', again: false, key: () => `Bearer ${form}${randomText(36)}` },
    { kind: 'unknown', again: false, key: () => `Bearer ${unknownKey(form)}` },
    { kind: 'missing', again: true, key: () => undefined },
    { kind: 'malformed', again: true, key: always(`Bearer ${form}${randomText(36)}`) },
    { kind: 'unknown', again: true, key: always(`Bearer ${unknownKey(form)}`) },
    ...[expired, revoked].map(({ what, key }) => ({ kind: what, again: true, key: always(`Bearer ${key}`) })),
  ].map(({ kind, again, key }) => ({
    kind: `${kind}, ${again ? 'again' : 'for the first time'}`,
    again,
    key,
  }));
}

/** @param {string | undefined} kind */
const isAgain = (kind) => kind?.endsWith('again');

/** @param {string} value @returns {() => string | undefined} */
const always = (value) => () => value;

/** @param {number} length */
const randomText = (length) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** With the checksum that the format asks for. @param {string} form */
function unknownKey(form) {
  const start = form + randomText(30);
  let rest = createHash('sha256').update(start).digest().readUIntBE(0, 6) % 62 ** 6;
  let checksum = '';
  for (let i = 0; i < 6; i++) {
    checksum = ALPHABET[rest % 62] + checksum;
    rest = Math.floor(rest / 62);
  }
  return start + checksum;
}

/** Each request from another address, or the limiter of failed attempts would answer before the key is looked at. */
const anyAddress = () => Array.from({ length: 4 }, () => randomInt(1, 255)).join('.');

/** @param {Record<string, number[]>} taken */
function pairsOf(taken) {
  const names = Object.keys(taken);
  return names.flatMap((one, i) =>
    names.slice(i + 1).map((other) => ({
      kinds: [one, other],
      differenceMs: median(taken[one]) - median(taken[other]),
      ...mannWhitney(taken[one], taken[other]),
    })),
  );
}

/**
 * @param {Agent} agent
 * @param {string} url
 * @param {{ authorization: string | undefined, body: Uint8Array }} what
 * @returns {Promise<{ status: number, ms: number }>}
 */
function ask(agent, url, { authorization, body }) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': body.length,
      'x-forwarded-for': anyAddress(),
      ...(authorization !== undefined && { authorization }),
    };
    const begin = performance.now();
    const outgoing = request(`${url}/detect`, { method: 'POST', agent, headers }, (response) => {
      const ms = performance.now() - begin;
      response.resume().once('end', () => resolve({ status: response.statusCode ?? 0, ms }));
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
