/**
 * Accounts of different plans at once: does each get exactly what its plan says, is it told so in the headers, and does
 * it pay for what was answered and nothing else?
 */
import { check, sleep } from 'k6';
import { Counter } from 'k6/metrics';
import type { Options } from 'k6/options';
import { clientOf, type Last } from './lib/ask.ts';
import { detect } from './lib/detect.ts';
import { allRight, systemTags } from './lib/load.ts';
import { settings } from './lib/settings.ts';

interface Plan {
  readonly name: string;
  readonly quota: { readonly productGroups: { readonly imageAnalysis: number } };
  readonly limits: { readonly burst: { readonly limit: number; readonly windowSeconds: number } };
}

const plans: Plan[] = JSON.parse(open(import.meta.resolve('../../gateway/contract/plans.json')));
const planOf = (name: string) => {
  const found = plans.find((plan) => plan.name === name);
  if (!found) throw new Error(`There is no plan ${name}.`);
  return found;
};

/** A few beyond what the plan has, so that the boundary is seen from both sides. */
const BEYOND = 20;
const freeRequests = planOf('free').quota.productGroups.imageAnalysis + BEYOND;
const basicRequests = planOf('basic').limits.burst.limit + 3 * BEYOND;

export const options: Options = {
  systemTags,
  scenarios: {
    // One after the other: the quota's last unit has a place in their order.
    free: {
      executor: 'shared-iterations',
      exec: 'free',
      vus: 1,
      iterations: freeRequests,
      maxDuration: '60s',
    },
    basic: {
      executor: 'shared-iterations',
      exec: 'basic',
      vus: 16,
      iterations: basicRequests,
      maxDuration: '60s',
    },
    business: {
      executor: 'constant-arrival-rate',
      exec: 'business',
      rate: 5,
      duration: `${settings.seconds}s`,
      preAllocatedVUs: 20,
    },
    // After basic is through its burst, when it has regained a part of it: who is refused and waits as told is served.
    patient: {
      executor: 'per-vu-iterations',
      exec: 'patient',
      vus: 1,
      iterations: 3,
      startTime: `${settings.seconds}s`,
      maxDuration: '120s',
    },
  },
  // Who is never refused never waits: a check that did not run would pass.
  thresholds: { ...allRight, false_headers: ['count==0'], waited_as_told: ['count>0'] },
};

const falseHeaders = new Counter('false_headers');
const waitedAsTold = new Counter('waited_as_told');

/** @see https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ */
function checkHeaders(plan: string, { status, headers }: Last): void {
  const { limit, windowSeconds } = planOf(plan).limits.burst;
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const state = named.get('ratelimit')?.match(/^"burst";r=(\d+);t=(\d+)$/);
  const [remaining, reset] = [Number(state?.[1]), Number(state?.[2])];
  const right = check(named, {
    'RateLimit-Policy is that of the plan': (all) =>
      all.get('ratelimit-policy') === `"burst";q=${limit};w=${windowSeconds}`,
    'RateLimit lies within the policy': () => remaining <= limit && reset <= windowSeconds,
    'a refusal says when to come back': (all) =>
      status !== 429 || /^[1-9]\d*$/.test(all.get('retry-after') ?? ''),
  });
  if (!right) falseHeaders.add(1, { plan });
}

const clients = Object.fromEntries(
  Object.entries(settings.apiKeys).map(([plan, key]) => [plan, clientOf(settings.gatewayUrl, key)]),
);

async function askAs(plan: string) {
  const asked = await detect(clients[plan], { plan });
  checkHeaders(plan, asked.last);
  return asked;
}

export async function free() {
  await askAs('free');
}

export async function basic() {
  await askAs('basic');
}

export async function business() {
  await askAs('business');
}

/** Asks one by one until it is refused: faster than Basic regains, and no more often than its whole burst. */
export async function patient() {
  for (let left = planOf('basic').limits.burst.limit; left > 0; left--) {
    const { outcome, last } = await askAs('basic');
    if (outcome !== 'refused') continue;
    const [, seconds] = Object.entries(last.headers).find(([name]) => /^retry-after$/i.test(name)) ?? [];
    sleep(Number(seconds));
    const again = await askAs('basic');
    check(again, { 'who waits as told is served': (one) => one.outcome === 'ok' });
    waitedAsTold.add(1);
    return;
  }
}
