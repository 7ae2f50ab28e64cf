/** Accounts of three plans at once: quota, burst, headers and bill, each held against the contract's numbers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount } from '../lib/gateway.mjs';
import { ROOT } from '../lib/paths.mjs';
import { figure } from '../lib/report.mjs';
import { countBy } from './figures.mjs';
import { list, thresholdTable } from './parts.mjs';
import { applyScript, withWorld } from './world.mjs';

const PLANS = ['free', 'basic', 'business'];

/** @type {{ name: string, quota: any, limits: any }[]} */
const catalogue = JSON.parse(readFileSync(join(ROOT, 'gateway', 'contract', 'plans.json'), 'utf8'));
const planOf = (/** @type {string} */ name) => {
  const plan = catalogue.find((one) => one.name === name);
  if (!plan) throw new Error(`There is no plan ${name}.`);
  return plan;
};

/** @type {import('../lib/types').Measurement} */
export const plans = {
  name: 'load/plans',
  answers:
    'Does each plan get exactly its quota and its rate, is it told so, and does it pay for what was answered?',
  parameters: { seconds: 15 },
  quick: { seconds: 8 },

  async run({ seconds }, log) {
    return withWorld({}, async (world) => {
      /** @type {Record<string, string>} */
      const apiKeys = {};
      for (const plan of PLANS) apiKeys[plan] = (await createAccount(world.redisUrl, { plan })).apiKey;
      const run = await applyScript(world, 'plans.ts', { apiKeys, seconds });
      const seen = [];
      for (const plan of PLANS) {
        const billed = await billedUnits(world.gatewayUrl, apiKeys[plan]);
        seen.push(
          seenOf(
            plan,
            run.answers.filter((answer) => answer.plan === plan),
            billed,
          ),
        );
        log(`${plan}: ${list(seen[seen.length - 1].outcomes)}; billed ${billed}`);
      }
      return {
        bars: barsOf(seen, { ...run, waited: waitedIn(run.answers) }),
        figures: {
          seen,
          waited: waitedIn(run.answers),
          falseChecks: run.falseChecks,
          thresholds: run.thresholds,
        },
      };
    });
  },

  report: ({ seen, waited, falseChecks, thresholds }) => [
    {
      title: 'Plans',
      columns: [
        'Plan',
        'Requests',
        'Outcomes',
        'Answered 200',
        'Billed',
        'Answered 200 in its burst',
        'Least and most allowed there',
      ],
      rows: seen.map((/** @type {Seen} */ one) => [
        one.plan,
        one.requests,
        list(one.outcomes),
        one.answered,
        one.billed,
        one.served,
        `${one.least} to ${one.most}`,
      ]),
      remark:
        'Free is asked until its quota of image analyses is used up and beyond it, Basic faster than its rate, Business within both. What may be answered follows from the contract: the quota, or the burst and what it regains in the seconds that the burst took. Later a client of Basic asks until it is refused, waits as it is told, and asks again.',
    },
    {
      title: 'Checks of headers that failed',
      columns: ['Check', 'Times'],
      rows: Object.entries(falseChecks).length > 0 ? Object.entries(falseChecks) : [['none', 0]],
      remark: `On every answer: RateLimit-Policy is that of the plan, RateLimit lies within it, a 429 says when to come back; and who waits so long is served, which was tried ${waited} times.`,
    },
    thresholdTable(thresholds),
  ],
};

/** @typedef {ReturnType<typeof seenOf>} Seen */

/** With a result, which is what costs a unit. @param {readonly import('./k6-run.mjs').Answer[]} answers */
const answeredIn = (answers) =>
  answers.filter(({ outcome }) => outcome === 'ok' || outcome === 'wrong').length;

/** How often somebody was refused, waited, and was served. @param {readonly import('./k6-run.mjs').Answer[]} answers */
const waitedIn = (answers) =>
  answers
    .filter(({ scenario }) => scenario === 'patient')
    .filter(({ outcome }, i, own) => outcome === 'ok' && own[i - 1]?.outcome === 'refused').length;

/** @param {string} plan @param {readonly import('./k6-run.mjs').Answer[]} answers @param {number} billed */
function seenOf(plan, answers, billed) {
  if (answers.length === 0) throw new Error(`Nothing was asked on the plan ${plan}.`);
  const { burst } = planOf(plan).limits;
  const quota = planOf(plan).quota.productGroups.imageAnalysis;
  // The scenario of the plan's own name: what its patient client asks comes later, and would stretch the time.
  const burstAnswers = answers.filter(({ scenario }) => scenario === plan);
  const tookSeconds = (Math.max(...burstAnswers.map(({ endMs }) => endMs)) - burstAnswers[0].beginMs) / 1000;
  const [least, most] = {
    free: [quota, quota],
    basic: [burst.limit, burst.limit + Math.ceil((tookSeconds * burst.limit) / burst.windowSeconds) + 1],
  }[plan] ?? [burstAnswers.length, burstAnswers.length];
  return {
    plan,
    requests: answers.length,
    outcomes: countBy(answers, ({ outcome, code }) => code || outcome),
    answered: answeredIn(answers),
    billed,
    served: answeredIn(burstAnswers),
    least,
    most,
  };
}

/**
 * @param {readonly Seen[]} seen
 * @param {{ falseChecks: Record<string, number>, unanswered: Record<string, number>, waited: number }} run
 * @returns {import('../lib/types').Bar[]}
 */
function barsOf(seen, { falseChecks, unanswered, waited }) {
  /** @param {string} what @param {number} value @returns {import('../lib/types').Bar} */
  const none = (what, value) => ({ what, value, unit: '', bar: 0, better: 'lower' });
  const off = (/** @type {Seen} */ { served, least, most }) => Math.max(0, least - served, served - most);
  return [
    none(
      'Units billed that differ from answers, all plans',
      sum(seen.map((one) => Math.abs(one.billed - one.answered))),
    ),
    none('Answers beyond or short of what the plan says', sum(seen.map(off))),
    none('False answers, headers and refusals', sum(Object.values(falseChecks))),
    none('Requests without an answer', sum(Object.values(unanswered))),
    {
      what: 'Clients that were refused, waited as told and were served',
      value: waited,
      unit: '',
      bar: 1,
      better: 'higher',
    },
  ];
}

/** @param {readonly number[]} values */
const sum = (values) => values.reduce((a, b) => a + b, 0);

/** As the account itself reads it. @param {string} gatewayUrl @param {string} apiKey @returns {Promise<number>} */
async function billedUnits(gatewayUrl, apiKey) {
  const answer = await fetch(`${gatewayUrl}/usage`, { headers: { Authorization: `Bearer ${apiKey}` } });
  if (!answer.ok) throw new Error(`GET /usage answered ${figure(answer.status)}`);
  const { data } = /** @type {any} */ (await answer.json());
  return data.productGroups.imageAnalysis.used;
}
