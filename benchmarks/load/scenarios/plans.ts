/** Accounts of different plans at once: their quota, their rate, the headers and the bill. */
import { check, sleep } from 'k6';
import type { Options } from 'k6/options';
import { ask, clientOf, type Last } from './ask.ts';
import { systemTags } from './record.ts';
import { settings } from './settings.ts';

interface Plan {
  readonly name: string;
  readonly quota: { readonly productGroups: { readonly imageAnalysis: number } };
  readonly limits: { readonly burst: { readonly limit: number; readonly windowSeconds: number } };
}

const plans: Plan[] = JSON.parse(open(import.meta.resolve('../../../gateway/contract/plans.json')));
const planOf = (name: string) => {
  const found = plans.find((plan) => plan.name === name);
  if (!found) throw new Error(`There is no plan ${name}.`);
  return found;
};

/** Some more than the plan has, so that both sides of the boundary are measured. */
const EXTRA = 20;
const seconds = settings.seconds ?? 15;

export const options: Options = {
  systemTags,
  scenarios: {
    // One after the other, so that the last unit of the quota has a place in their order.
    free: {
      executor: 'shared-iterations',
      exec: 'free',
      vus: 1,
      iterations: planOf('free').quota.productGroups.imageAnalysis + EXTRA,
      maxDuration: '60s',
    },
    basic: {
      executor: 'shared-iterations',
      exec: 'basic',
      vus: 16,
      iterations: planOf('basic').limits.burst.limit + 3 * EXTRA,
      maxDuration: '60s',
    },
    business: {
      executor: 'constant-arrival-rate',
      exec: 'business',
      rate: 5,
      duration: `${seconds}s`,
      preAllocatedVUs: 20,
    },
    // Later, when basic has regained a part of its burst: a client that is refused and waits as instructed is served.
    patient: {
      executor: 'per-vu-iterations',
      exec: 'patient',
      vus: 1,
      iterations: 3,
      startTime: `${seconds}s`,
      maxDuration: '120s',
    },
  },
};

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
function checkHeaders(plan: string, { status, headers }: Last): void {
  const { limit, windowSeconds } = planOf(plan).limits.burst;
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const state = named.get('ratelimit')?.match(/^"burst";r=(\d+);t=(\d+)$/);
  const [remaining, reset] = [Number(state?.[1]), Number(state?.[2])];
  check(named, {
    'RateLimit-Policy is the one of the plan': (all) =>
      all.get('ratelimit-policy') === `"burst";q=${limit};w=${windowSeconds}`,
    'RateLimit is within the policy': () => remaining <= limit && reset <= windowSeconds,
    'a 429 has a Retry-After': (all) => status !== 429 || /^[1-9]\d*$/.test(all.get('retry-after') ?? ''),
  });
}

const clients = Object.fromEntries(
  Object.entries(settings.apiKeys).map(([plan, key]) => [plan, clientOf(settings.url, key)]),
);
const image = settings.image ?? '';

async function detectAs(plan: string) {
  const result = await ask('detect', clients[plan].detect({ image }), ({ data }) => data.faceCount === 1, {
    plan,
  });
  checkHeaders(plan, result.last);
  return result;
}

export const free = () => detectAs('free');
export const basic = () => detectAs('basic');
export const business = () => detectAs('business');

/** Sends one request after the other until one is refused: faster than Basic regains, at most its whole burst. */
export async function patient() {
  for (let left = planOf('basic').limits.burst.limit; left > 0; left--) {
    const { outcome, last } = await detectAs('basic');
    if (outcome !== 'refused') continue;
    const [, wait] = Object.entries(last.headers).find(([name]) => /^retry-after$/i.test(name)) ?? [];
    sleep(Number(wait));
    const { outcome: retried } = await detectAs('basic');
    check(retried, { 'a client that waits as instructed is served': (one) => one === 'ok' });
    return;
  }
}
