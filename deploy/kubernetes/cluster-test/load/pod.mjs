// Runs inside the cluster, in a pod of the gateway's image: sends steady requests to the API and the site, so that no
// port-forward breaks with the pods that the test breaks. It reads one JSON object per line from stdin and writes its
// messages to stdout in the same way:
//   { learn }            the right results of all requests, from the healthy service
//   { drive }            begins the load; `completed` follows each request
//   { stop: true }       ends the load; `result` follows when every request has its result

import { createHash } from 'node:crypto';
import { createInterface } from 'node:readline';
import { RetryingClient } from '../../../../gateway/harness/client.mjs';
import { drive } from '../../../../gateway/harness/load.mjs';
import { everyQuestion, operations } from '../../../../gateway/harness/operations.mjs';
import { randomFrom } from '../../../../gateway/harness/random.mjs';
import { Truth } from '../../../../gateway/harness/truth.mjs';
import { learnFrom } from './learn.mjs';

/**
 * @typedef {import('../../../../gateway/harness/client.mjs').Attempt} Attempt
 * @typedef {import('../../../../gateway/harness/client.mjs').Outcome} Outcome
 *
 * @typedef {object} Place
 * @property {readonly string[]} api addresses, of which each attempt takes the next one
 * @property {string} site a file of the site
 *
 * @typedef {{ known: [string, import('../../../../gateway/harness/truth.mjs').Verdict][], page: string | undefined }} Known
 *   right results, and the hash of the site's file if it may have no other
 *
 * @typedef {Place & { apiKey: string, images: readonly string[] }} Learn
 * @typedef {Place & Known & { name: string, apiKeys: Record<string, string>, images: readonly string[], perSecond: number, seed: number }} Drive
 *
 * @typedef {{ account: string, units: number, attempts: Attempt[], lost: boolean, defects: number }} Request
 *   account: `site` for the site; units: those that are billed
 *
 * @typedef {object} Result
 * @property {Request[]} requests
 * @property {string[]} wrong
 * @property {number} skipped
 * @property {number} stoppedAt in ms of performance.now()
 */

/** The response of a batch takes four deadlines of 15 s, and some time to read it. Waits are as long as Retry-After says. */
const PATIENCE = { attemptMs: 67_000, longestWaitMs: 60_000, giveUpMs: 150_000 };
const SITE_PER_SECOND = 2;
const SITE_RETRY_MS = 200;

const say = (/** @type {object} */ message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** @param {Learn} learn */
async function learn({ api, site, apiKey, images }) {
  const truth = new Truth();
  const client = new RetryingClient(api, apiKey, { ...PATIENCE, onResult: learnFrom(truth, images) });
  for (const operation of everyQuestion(images)) {
    const { lost } = await client.pursue(operation);
    if (lost) throw new Error('The service does not respond.');
    say({ completed: true });
  }
  client.close();
  const page = await requestSite(site, () => true);
  if (page.lost) throw new Error('The site does not respond.');
  say({ learned: { known: truth.known, page: page.hash } });
}

/**
 * A file of the site, with retries.
 * @param {string} url
 * @param {(hash: string) => boolean} isRight
 * @returns {Promise<Request & { hash: string, wrong: boolean }>}
 */
async function requestSite(url, isRight) {
  const begin = performance.now();
  /** @type {Attempt[]} */
  const attempts = [];
  for (;;) {
    const from = performance.now();
    const { name, hash } = await fetchHash(url);
    const failed = name !== '200';
    attempts.push({ from, to: performance.now(), name, failed, retryMs: undefined });
    const late = performance.now() - begin > PATIENCE.giveUpMs;
    if (!failed || late) {
      return {
        account: 'site',
        units: 0,
        attempts,
        lost: failed,
        defects: 0,
        hash,
        wrong: !failed && !isRight(hash),
      };
    }
    await new Promise((resolve) => setTimeout(resolve, SITE_RETRY_MS));
  }
}

/** @param {string} url */
async function fetchHash(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE.attemptMs) });
    const hash = createHash('sha256')
      .update(await response.text())
      .digest('hex');
    return { name: String(response.status), hash };
  } catch (error) {
    const { cause, name } = /** @type {Error & { cause?: { code?: string } }} */ (error);
    return { name: cause?.code ?? name, hash: '' };
  }
}

/** @param {Drive} settings @param {AbortSignal} signal ends the load */
async function run({ name, api, site, apiKeys, images, perSecond, seed, known, page }, signal) {
  let stoppedAt = 0;
  signal.addEventListener('abort', () => {
    stoppedAt = performance.now();
  });
  const truth = new Truth(known);
  /** @type {string[]} */
  const wrong = [];
  const [accounts, pages] = await Promise.all([
    Promise.all(
      Object.entries(apiKeys).map(async ([account, apiKey], i) => {
        const random = randomFrom(seed + 1_000 * i);
        const client = new RetryingClient(api, apiKey, {
          ...PATIENCE,
          random: random.next,
          onResult: truth.check(wrong),
        });
        const next = operations(images, randomFrom(seed + 1_000 * i + 1), `${name}-${i}`);
        const send = async () => {
          const request = summarize(account, await client.pursue(next()));
          say({ completed: !request.lost });
          return request;
        };
        const driven = await drive({ perSecond, send, signal });
        client.close();
        return driven;
      }),
    ),
    drive({
      perSecond: SITE_PER_SECOND,
      send: () => requestSite(site, (hash) => page === undefined || hash === page),
      signal,
    }),
  ]);
  for (const { wrong: isWrong } of pages.results) if (isWrong) wrong.push('site: another file');
  const all = [...accounts, pages];
  say({
    result: {
      requests: all.flatMap(({ results }) => results),
      wrong,
      skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
      stoppedAt,
    },
  });
}

/** Leaves out the bodies. @param {string} account @param {Outcome} outcome @returns {Request} */
const summarize = (account, { succeeded, attempts, lost, defects }) => ({
  account,
  units: succeeded.filter(Boolean).length,
  attempts,
  lost,
  defects,
});

const stopping = new AbortController();
/** @type {Promise<void> | undefined} */
let work;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.learn) work = learn(message.learn);
  if (message.drive) work = run(message.drive, stopping.signal);
  if (message.stop) stopping.abort();
  if (message.learn || message.stop) {
    await work;
    break;
  }
}
// The last line has to leave first.
process.stdout.write('', () => process.exit());
