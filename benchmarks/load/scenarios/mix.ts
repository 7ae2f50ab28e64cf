/**
 * Any mix of operations, in open or closed models of load. The driver prepares the requests: reading an image, writing it
 * as JSON and parsing whole responses would cost k6 more than all its other work, on the machine that is measured. The
 * script only reads the number in a response that distinguishes right from wrong.
 */
import exec from 'k6/execution';
import http from 'k6/http';
import type { Options, Scenario } from 'k6/options';
import { begin, record, systemTags } from './record.ts';
import { type Arrivals, type Clients, type Prepared, settings } from './settings.ts';

/**
 * Virtual users that a step may need: each waits for one response, and one must be free when a request is due. The
 * inference tier holds at most 256 images, which a machine with 50 responses a second works off within 5 s; all others are
 * refused at once. Requests without a free user are not sent, and every report counts them.
 */
const SECONDS_OF_RESPONSES = 6;
const MOST_USERS = 3000;

function arrivals({ perSecond, seconds, startSeconds = 0 }: Arrivals): Scenario {
  const users = Math.min(MOST_USERS, Math.ceil(perSecond * SECONDS_OF_RESPONSES) + 4);
  return {
    executor: 'constant-arrival-rate',
    // k6 takes whole numbers only.
    rate: Math.round(100 * perSecond),
    timeUnit: '100s',
    duration: `${seconds}s`,
    startTime: `${startSeconds}s`,
    preAllocatedVUs: users,
    maxVUs: users,
    gracefulStop: '60s',
  };
}

const clients = ({ clients: vus, requests, seconds, startSeconds = 0 }: Clients): Scenario => ({
  startTime: `${startSeconds}s`,
  gracefulStop: '60s',
  ...(requests
    ? { executor: 'per-vu-iterations', vus, iterations: requests, maxDuration: `${seconds}s` }
    : { executor: 'constant-vus', vus, duration: `${seconds}s` }),
});

export const options: Options = {
  systemTags,
  scenarios: Object.fromEntries(
    settings.scenarios.map((scenario) => [
      scenario.name,
      'perSecond' in scenario ? arrivals(scenario) : clients(scenario),
    ]),
  ),
};

const scenarios = new Map(settings.scenarios.map((scenario) => [scenario.name, scenario]));
const operations = [...new Set(settings.scenarios.flatMap(({ mix }) => Object.keys(mix)))];

/** A user holds at most this many requests of an operation, or else a single one: hundreds of users share the memory. */
const MOST_HELD = 4;
const isHeld = (i: number, all: readonly unknown[]) =>
  all.length <= MOST_HELD || __VU === 0 || __VU % all.length === i;

type Held = Prepared & { readonly body: ArrayBuffer };

/** User 0, the start of k6, opens every file, because k6 opens no other files for its users. */
const held = new Map<string, Held[]>(
  operations.map((operation) => {
    const all = settings.prepared[operation] ?? [];
    return [
      operation,
      all.filter((_, i) => isHeld(i, all)).map((request) => ({ ...request, body: open(request.file, 'b') })),
    ];
  }),
);

const keys = Object.values(settings.apiKeys);

export default function () {
  const { mix, account } = scenarios.get(exec.scenario.name) as Arrivals | Clients;
  const operation = draw(Object.entries(mix));
  const all = held.get(operation) ?? [];
  const request = all[exec.scenario.iterationInTest % all.length];
  send(operation, request, account ? settings.apiKeys[account] : keys[__VU % keys.length]);
}

function send(
  operation: string,
  { path, headers, body, selector, count, image }: Held,
  key: string | undefined,
): void {
  begin(operation);
  const response = http.post(`${settings.url}${path}`, body, {
    headers: { ...headers, ...(key && { authorization: `Bearer ${key}` }) },
    timeout: '60s',
    redirects: 0,
    responseType: 'text',
  });
  const { blocked, duration } = response.timings;
  const seconds = response.headers['Retry-After'];
  const ok = response.status === 200;
  const inferenceMs =
    ok && settings.minusInference ? 1e3 * Number(response.json('data.faces.0.confidence')) : 0;
  record({
    operation,
    tookMs: blocked + duration - inferenceMs,
    // A body that is not JSON has no count, so the result is wrong.
    ...(ok
      ? { right: selector === undefined || response.json(selector) === count }
      : { code: codeOf(response) }),
    ...(seconds && { retryAfterSeconds: Number(seconds) }),
    ...(image && { tags: { image } }),
  });
}

/** The code of the error; k6's own number where there was no response. */
function codeOf({ status, error_code, body }: ReturnType<typeof http.post>): string {
  if (status === 0) return `K6_${error_code}`;
  return /"code":"(\w+)"/.exec(String(body))?.[1] ?? `HTTP_${status}`;
}

function draw(mix: readonly [string, number][]): string {
  let left = Math.random() * mix.reduce((sum, [, weight]) => sum + weight, 0);
  const chosen = mix.find(([, weight]) => {
    left -= weight;
    return left < 0;
  });
  return (chosen ?? mix[0])[0];
}
