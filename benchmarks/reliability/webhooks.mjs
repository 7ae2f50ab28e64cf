/** Checks that every event eventually reaches every receiver, and that bad receivers do not delay good ones. */
import { setTimeout as delay } from 'node:timers/promises';
import { admin, LOOPBACK, unlimited, withService } from '../../gateway/harness/index.mjs';
import { atMost, zero } from '../lib/figures.mjs';
import { cells, figure } from '../lib/report.mjs';
import { percentile, sum } from '../lib/stats.mjs';
import { healthy, startEvents, startReceiver, untilReceived } from './receiver.mjs';

/** @typedef {import('./receiver.mjs').Receiver} Receiver */

const respondBy =
  (respond) =>
  ({ state }) => {
    state.respond = respond;
  };

/** Behavior of each receiver during the fault. @type {Readonly<Record<string, (receiver: Receiver) => unknown>>} */
const behaviors = {
  healthy: () => {},
  down: ({ proxy }) => proxy.refuse(),
  partitioned: ({ proxy }) => proxy.partition(),
  'slow, 5 s': respondBy((response) => setTimeout(() => healthy(response), 5_000)),
  hanging: respondBy(() => {}),
  'status 500': respondBy((response) => response.writeHead(500).end()),
  'status 302': respondBy((response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()),
};

/** Faults between the gateways and Redis, with a healthy receiver. */
const redisFaults = {
  'Redis partitioned': (proxy) => proxy.partition(),
  'Redis half-open': (proxy) => proxy.halfOpen(),
};

/** A healthy receiver gets an event within this time, whatever other receivers do. */
const PROMPT_S = 2;
/** A gateway closes a silent connection after 15 s, and takes over a pending delivery after 20 s. */
const TAKEOVER_S = 45;

/** @type {import('../lib/types').Measurement} */
export const webhookFaults = {
  name: 'reliability/webhooks',
  question: 'Does every event reach every receiver in the end, and do bad receivers delay good ones?',
  conditions: {
    perSecond: 2,
    steadySeconds: 5,
    faultSeconds: 12,
    afterSeconds: 5,
    waitMinutes: 8,
    deadlineMs: 4_000,
  },
  quick: { steadySeconds: 1, faultSeconds: 2, afterSeconds: 1, waitMinutes: 0.5 },

  async run({ perSecond, steadySeconds, faultSeconds, afterSeconds, waitMinutes, deadlineMs }, log) {
    const gatewayEnv = { GATEWAY_DEADLINE_MS: String(deadlineMs) };
    return withService({ gateways: 2, proxies: true, gatewayEnv }, async (service) => {
      const receivers = await Promise.all(Object.keys(behaviors).map(startReceiver));
      const course = {
        perSecond,
        beforeMs: 1e3 * steadySeconds,
        faultMs: 1e3 * faultSeconds,
        afterMs: 1e3 * afterSeconds,
      };
      try {
        const { events, to, failures } = await play(service, {
          ...course,
          endpoints: receivers.map(({ url }) => url),
          begin: () => Promise.all(receivers.map((receiver) => behaviors[receiver.name](receiver))),
          end: () => {
            for (const { state } of receivers) state.respond = healthy;
            return Promise.all(receivers.map(({ proxy }) => proxy.heal()));
          },
        });
        log(`${events.size} events; waiting for the last of them`);
        await untilReceived(receivers, events, 60e3 * waitMinutes);
        const rows = receivers.map((receiver) => rowOf(receiver, events, to));
        const [good] = receivers;
        for (const [name, begin] of Object.entries(redisFaults)) {
          const attemptsBefore = good.attempts();
          const seen = await play(service, {
            ...course,
            beforeMs: course.afterMs,
            endpoints: [`${good.url}?${rows.length}`],
            begin: () => service.proxies.redis.forEach(begin),
            end: () => Promise.all(service.proxies.redis.map((proxy) => proxy.heal())),
          });
          await untilReceived([good], seen.events, Math.min(60e3 * waitMinutes, 2e3 * TAKEOVER_S));
          const attempts = () => good.attempts() - attemptsBefore;
          rows.push(rowOf({ ...good, name, attempts }, seen.events, seen.to));
        }
        for (const row of rows)
          log(
            `${row.name}: lost ${row.lost}, delay p95 ${figure(row.p95S)} s, all received ${figure(row.allS)} s after the fault`,
          );
        return { failures, rows };
      } finally {
        for (const receiver of receivers) await receiver.close();
      }
    });
  },

  summarize({ failures, rows }) {
    const ofRedis = rows.filter(({ name }) => name.startsWith('Redis'));
    return {
      figures: [
        zero('Events that a receiver never got', sum(rows.map(({ lost }) => lost))),
        atMost(
          'Delay of events to a healthy receiver while six others are not, p95',
          rows.find(({ name }) => name === 'healthy').p95S,
          's',
          PROMPT_S,
        ),
        atMost(
          'Longest until all events were received after Redis was reachable again',
          Math.max(...ofRedis.map(({ allS }) => allS)),
          's',
          TAKEOVER_S,
        ),
        zero('Sessions that could not be created while Redis was reachable', failures),
      ],
      tables: [
        {
          title: 'Outcome of every event',
          columns:
            'Receiver or fault | Events | Lost | Received twice | Attempts | Delay p50, s | p95, s | Longest, s | All received after the fault, s',
          rows: rows.map((row) => cells(row, 'name events lost repeated attempts p50S p95S longestS allS')),
          remark: `One account, seven endpoints, six of them in trouble at the same time; two gateways. Sessions are created and canceled before, during and after the fault; ${failures} could not be created. The schedule is the real one: 0 s, 5 s, 5 min. In the rows of Redis the receiver is healthy, and both gateways lose their connection to Redis for as long.`,
        },
      ],
    };
  },
};

/** Creates events for a new account before, during and after a fault. */
async function play(service, { perSecond, beforeMs, faultMs, afterMs, endpoints, begin, end }) {
  const { accountId, apiKey } = await service.createAccount({ plan: 'growth', overrides: unlimited });
  for (const url of endpoints) await createEndpoint(service, accountId, url, '--events', 'session.cancelled');
  const running = startEvents(service.urls, apiKey, perSecond);
  let to = 0;
  try {
    await delay(beforeMs);
    await begin();
    await delay(faultMs);
    await end();
    to = performance.now();
    await delay(afterMs);
  } finally {
    await running.stop();
  }
  return { events: running.created, to, failures: running.failures() };
}

/** @param {import('../../gateway/harness/index.mjs').Service} service @param {...string} args further ones */
export const createEndpoint = ({ redisUrl }, accountId, url, ...args) =>
  admin(['webhooks', 'create', '--account', accountId, '--url', url, ...args], {
    REDIS_URL: redisUrl,
    WEBHOOK_ALLOWED_ADDRESSES: LOOPBACK,
  });

/** @param {Pick<Receiver, 'name' | 'received' | 'attempts'>} receiver @param {ReadonlyMap<string, number>} events @param {number} to end of the fault */
function rowOf({ name, received, attempts }, events, to) {
  // The delay of a missing event is at least the time until now.
  const now = performance.now();
  const firsts = [...events].map(([id, at]) => ({ at, first: received.get(id)?.[0] ?? now }));
  const delays = firsts.map(({ at, first }) => Math.max(0, first - at) / 1e3);
  return {
    name,
    events: events.size,
    lost: [...events.keys()].filter((id) => !received.has(id)).length,
    repeated: [...events.keys()].filter((id) => (received.get(id)?.length ?? 0) > 1).length,
    attempts: attempts(),
    p50S: percentile(delays, 50),
    p95S: percentile(delays, 95),
    longestS: Math.max(...delays),
    /** The time from the end of the fault until the receiver has every event from before that end. */
    allS: Math.max(0, ...firsts.filter(({ at }) => at <= to).map(({ first }) => first - to)) / 1e3,
  };
}
