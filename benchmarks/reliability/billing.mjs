/** Whether every successful response is billed exactly once while all parts of the service are killed again and again. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  audit,
  deviation,
  drive,
  RetryingClient,
  unlimited,
  whenSettled,
  withService,
} from '../../gateway/harness/index.mjs';
import { operations } from '../../gateway/harness/operations.mjs';
import { randomFrom } from '../../gateway/harness/random.mjs';
import { smallImages } from '../../gateway/harness/small-images.mjs';
import { zero } from '../lib/figures.mjs';
import { cells, figure } from '../lib/report.mjs';
import { sum } from '../lib/stats.mjs';
import { count, patienceOf } from './rehearsal.mjs';

const plans = { 'hard limit': 'free', 'with overage': 'business' };
/** Clients may notice an outage for this long after the restart. */
const AFTERMATH_MS = 3_000;

/** @type {import('../lib/types').Measurement} */
export const billing = {
  name: 'reliability/billing',
  question:
    'Is every success billed exactly once while Redis, two gateways and the inference tier are killed at random?',
  conditions: { kills: 20, perSecond: 1.5, seed: 0, deadlineMs: 5_000, longDownMs: 24_000 },
  quick: { kills: 2, longDownMs: 2_000 },

  async run({ kills, perSecond, seed: given, deadlineMs, longDownMs }, log) {
    const seed = given || (Date.now() % 1e6) + 1;
    log(`seed ${seed}`);
    const gatewayEnv = { GATEWAY_DEADLINE_MS: String(deadlineMs) };
    return withService({ gateways: 2, gatewayEnv }, async (service) => {
      const images = await smallImages();
      const stopping = new AbortController();
      const groups = [];
      try {
        for (const [place, [name, plan]] of Object.entries(plans).entries()) {
          const account = await service.createAccount({ plan, overrides: unlimited });
          const random = randomFrom(seed + 1000 * (place + 1)).next;
          const options = { ...patienceOf(deadlineMs), random };
          const client = new RetryingClient(service.urls, account.apiKey, options);
          const next = operations(images, randomFrom(seed + 5000 * (place + 1)), `${seed}-${place}`);
          const driven = drive({ perSecond, send: () => client.pursue(next()), signal: stopping.signal });
          groups.push({ name, account, client, driven });
        }
        await killAtRandom(service.parts, { kills, random: randomFrom(seed), longDownMs, log });
      } finally {
        stopping.abort();
      }
      log('load stopped; waiting for the last results');
      const driven = await Promise.all(groups.map((group) => group.driven));
      log('waiting until every unit is settled');
      const accounts = groups.map(({ account }) => account.accountId);
      const settledMs = await whenSettled(service.redisUrl, { accounts, journals: service.journals });
      const outages = service.parts.flatMap((part) => part.outages);
      const audits = [];
      for (const [i, { name, account, client }] of groups.entries()) {
        const { results, skipped } = driven[i];
        client.close();
        const audited = await audit(service.redisUrl, account, results);
        log(
          `${name}: ${audited.succeeded} units succeeded, ${audited.ledger} in the ledger, ${audited.counted} counted`,
        );
        audits.push({
          name,
          ...audited,
          deviation: deviation(audited),
          skipped,
          lost: results.filter(({ lost }) => lost).length,
          attempts: count(results.flatMap(({ attempts }) => attempts)),
          outages: describeOutages(results, outages),
        });
      }
      return { seed, settledMs, audits };
    });
  },

  summarize({ seed, settledMs, audits }, { kills }) {
    const parts = Object.keys(Object.assign({}, ...audits.map(({ outages }) => outages)));
    return {
      figures: [
        ...audits.map(({ name, deviation: off, succeeded }) =>
          zero(`Units billed wrongly after ${kills} kills, account ${name}`, off, {
            n: succeeded,
            items: 'units',
          }),
        ),
        zero('Operations that were due and not started', sum(audits.map((audited) => audited.skipped))),
        zero('Operations without a result in the end', sum(audits.map((audited) => audited.lost))),
      ],
      tables: [
        {
          title: 'Successful responses and the bill',
          columns:
            'Account | Requests | Never started | Units succeeded | Ledger | Counters | Refunded | Expired | Left reserved | Attempts by status',
          rows: audits.map((audited) => [
            ...cells(audited, 'name operations skipped succeeded ledger counted refunded expired'),
            audited.reserved + audited.held,
            Object.entries(audited.attempts)
              .map(([status, times]) => `${status}: ${times}`)
              .join(', '),
          ]),
          remark: `Seed ${seed}. Single operations and batches, some with broken images, each with an idempotency key and repeated at either gateway until it has its result or two minutes have passed. Ledger and counters also agree by product and by day, and every key marks exactly the successful parts as billed. The other gateway responds with 409 to operations of a killed gateway until their lease ends, 15 s after the deadline. All journals were replayed and leases swept ${figure(settledMs / 1e3)} s after the last response.`,
        },
        {
          title: 'How long clients went without a success',
          columns: 'Killed | Account | Times | Down, s | Longest gap between successes, s | Served meanwhile',
          rows: parts.flatMap((part) =>
            audits.map(({ name, outages }) => [
              part,
              name,
              outages[part].times,
              outages[part].downS.map(figure).join(', '),
              outages[part].gapS.map(figure).join(', '),
              outages[part].served,
            ]),
          ),
          remark:
            'Each kill in its order: the time until the part was ready again, and the longest time during or just after it in which no request of the account succeeded. Outages overlap, so another part may be to blame. Served meanwhile: requests that succeeded while the part was down.',
        },
      ],
    };
  },
};

/**
 * Kills the parts equally often, at random times. Some gateways stay down for longer than the lease of an operation.
 * @param {readonly import('../../gateway/harness/index.mjs').Part[]} parts
 */
async function killAtRandom(parts, { kills, random, longDownMs, log }) {
  const order = random.shuffled(Array.from({ length: kills }, (_, i) => i));
  const down = new Map();
  for (const [number, place] of order.entries()) {
    await delay(random.whole(500, 5_000));
    const part = parts[place % parts.length];
    await down.get(part);
    // Only a gateway stays down for long: without the other parts the load would stand still.
    const long = place % 5 === 0 && part.name.startsWith('gateway');
    const downMs = long ? longDownMs : random.whole(0, 2_000);
    log(`kill ${number + 1} of ${kills}: ${part.name}, for ${downMs} ms`);
    const crash = part.crash(downMs);
    // A failed restart is thrown where it is awaited, which may be seconds later.
    crash.catch(() => {});
    down.set(part, crash);
  }
  await Promise.all(down.values());
}

/** @param {readonly import('../../gateway/harness/index.mjs').Outcome[]} outcomes */
function describeOutages(outcomes, outages) {
  const times = outcomes
    .filter(({ succeeded }) => succeeded.some(Boolean))
    .map(({ endedAt }) => endedAt)
    .sort((a, b) => a - b);
  const byPart = {};
  for (const { part, from, to } of outages) {
    byPart[part] ??= { times: 0, downS: [], gapS: [], served: 0 };
    const totals = byPart[part];
    totals.times += 1;
    totals.downS.push((to - from) / 1e3);
    totals.gapS.push(longestGap(times, from, to + AFTERMATH_MS) / 1e3);
    totals.served += times.filter((at) => at >= from && at <= to).length;
  }
  return byPart;
}

/** @param {readonly number[]} times ascending */
function longestGap(times, from, to) {
  const inside = times.filter((at) => at > from && at < to);
  const edges = [from, ...inside, times.find((at) => at >= to) ?? to];
  return Math.max(...edges.slice(1).map((at, i) => at - edges[i]));
}
