/** Accounts of three plans at once: quota, burst, headers and bill against the numbers of the contract. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount } from '../../deploy/local/harness/index.mjs';
import { atLeast, atMost } from '../lib/figures.mjs';
import { dataUri } from '../lib/material.mjs';
import { ROOT } from '../lib/paths.mjs';
import { cells, list } from '../lib/report.mjs';
import { sum } from '../lib/stats.mjs';
import { countBy } from './analysis.mjs';
import { portraitImages } from './images.mjs';
import { applyScript, withWorld } from './world.mjs';

const PLANS = ['free', 'basic', 'business'];
const catalogue = JSON.parse(readFileSync(join(ROOT, 'gateway', 'contract', 'plans.json'), 'utf8'));

/** @type {import('../lib/types').Measurement} */
export const plans = {
  name: 'load/plans',
  question: 'Does each plan get exactly its quota and its rate, with right headers and the right bill?',
  conditions: { seconds: 15 },
  quick: { seconds: 8 },

  async run({ seconds }, log) {
    const [{ jpeg }] = await portraitImages();
    return withWorld({}, async (world) => {
      const apiKeys = {};
      for (const plan of PLANS) apiKeys[plan] = (await createAccount(world.redisUrl, { plan })).apiKey;
      const run = await applyScript({ ...world, apiKeys }, 'plans', { seconds, image: dataUri(jpeg) });
      const seen = [];
      for (const plan of PLANS) {
        const responses = run.responses.filter((one) => one.plan === plan);
        seen.push(evaluate(plan, responses, await billedUnits(world.url, apiKeys[plan])));
        log(`${plan}: ${list(seen.at(-1).outcomes)}; billed ${seen.at(-1).billed}`);
      }
      const { falseChecks, cutOff } = run;
      return { seen, waited: countWaits(run.responses), falseChecks, cutOff: sum(Object.values(cutOff)) };
    });
  },

  summarize({ seen, waited, falseChecks, cutOff }) {
    const off = ({ served, least, most }) => Math.max(0, least - served, served - most);
    const checks = Object.entries(falseChecks);
    return {
      figures: [
        atMost(
          'Units billed that differ from responses, all plans',
          sum(seen.map((one) => Math.abs(one.billed - one.succeeded))),
          '',
          0,
        ),
        atMost('Responses above or below the numbers of the plan', sum(seen.map(off)), '', 0),
        atMost('False results, headers and refusals', sum(checks.map(([, count]) => count)), '', 0),
        atMost('Requests without a response', cutOff, '', 0),
        atLeast('Clients that were refused, waited as instructed and were served', waited, '', 1),
      ],
      tables: [
        {
          title: 'Plans',
          columns: 'Plan | Requests | Outcomes | Responses 200 | Billed | 200 in its burst | Allowed there',
          rows: seen.map((one) => [
            one.plan,
            one.requests,
            list(one.outcomes),
            ...cells(one, 'succeeded billed served'),
            `${one.least} to ${one.most}`,
          ]),
          remark: `Free is used until its quota of image analyses is exceeded, Basic above its rate, Business within both. The contract decides how many requests may be served: the quota, or the burst and what it regains in the meantime. Later a client of Basic is refused, waits as instructed, and retries, which succeeded ${waited} times. Each response is checked: RateLimit-Policy is the plan's, RateLimit is within it, a 429 has a Retry-After. Failed checks: ${checks.map(([name, count]) => `${name} ${count}`).join(', ') || 'none'}.`,
        },
      ],
    };
  },
};

/** How often a client was refused, waited, and was served. */
const countWaits = (responses) =>
  responses
    .filter(({ scenario }) => scenario === 'patient')
    .filter(({ outcome }, i, own) => outcome === 'ok' && own[i - 1]?.outcome === 'refused').length;

/** Responses with a result cost a unit. */
const countBilled = (responses) =>
  responses.filter(({ outcome }) => outcome === 'ok' || outcome === 'wrong').length;

function evaluate(plan, responses, billed) {
  if (responses.length === 0) throw new Error(`No request was sent on the plan ${plan}.`);
  const { quota, limits } = catalogue.find(({ name }) => name === plan);
  // The scenario of the plan's own name: its patient client comes later and would stretch the time.
  const burst = responses.filter(({ scenario }) => scenario === plan);
  const tookSeconds = (Math.max(...burst.map(({ endMs }) => endMs)) - burst[0].beginMs) / 1000;
  const { limit, windowSeconds } = limits.burst;
  const { imageAnalysis } = quota.productGroups;
  const allowed = {
    free: [imageAnalysis, imageAnalysis],
    basic: [limit, limit + Math.ceil((tookSeconds * limit) / windowSeconds) + 1],
  };
  const [least, most] = allowed[plan] ?? [burst.length, burst.length];
  const outcomes = countBy(responses, ({ outcome, code }) => code || outcome);
  const served = countBilled(burst);
  return {
    plan,
    requests: responses.length,
    outcomes,
    succeeded: countBilled(responses),
    billed,
    served,
    least,
    most,
  };
}

/** As the account itself reads it. @param {string} url @param {string} apiKey @returns {Promise<number>} */
async function billedUnits(url, apiKey) {
  const response = await fetch(`${url}/usage`, { headers: { Authorization: `Bearer ${apiKey}` } });
  if (!response.ok) throw new Error(`GET /usage responded with ${response.status}`);
  const { data } = /** @type {any} */ (await response.json());
  return data.productGroups.imageAnalysis.used;
}
