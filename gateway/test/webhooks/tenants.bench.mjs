// How late the events of accounts whose endpoints respond are, while all endpoints of other accounts hang: each of those
// has synchronous and asynchronous endpoints, and many sessions with a test outcome. The first line is without them.
//   npx tsc -b && node gateway/test/webhooks/tenants.bench.mjs [hanging accounts, default 1] [seconds, default 40]

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import limits from '@presenza/contract/limits.json' with { type: 'json' };
import {
  admin,
  createAccount,
  keySecret,
  startGateway,
  startRedis,
  unlimited,
} from '../../harness/index.mjs';

const hangingAccounts = Number(process.argv[2] ?? 1);
const seconds = Number(process.argv[3] ?? 40);
const graceMs = 1_000 * limits.liveness.leaveGraceSeconds;
const hangMs = 9_000;
const everyMs = 500;
/** Endpoints of each account whose receivers hang. */
const endpoints = { sync: 5, async: 5 };
const testSessions = { atOnce: 100, everyMs: 2_000, perRound: 10 };
const events = ['started', 'completed', 'failed', 'cancelled', 'expired'].map((name) => `session.${name}`);

/** Arrivals by endpoint, session and event. @type {Map<string, number>} */
const arrivals = new Map();
/** @param {number} respondAfterMs */
async function startReceiver(respondAfterMs) {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { sessionId, eventType } = JSON.parse(Buffer.concat(chunks).toString());
    const key = `${request.url} ${sessionId} ${eventType}`;
    if (!arrivals.has(key)) arrivals.set(key, performance.now());
    setTimeout(() => response.end('{"status":"received"}'), respondAfterMs);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
}

/** Processor time of a process so far, in s (proc(5), in ticks of 10 ms). @param {number} pid */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** @param {number} hanging accounts */
async function measure(hanging) {
  const redis = await startRedis({ durable: true });
  const gateway = await startGateway({ REDIS_URL: redis.url });
  const [hangs, slow, prompt] = await Promise.all([hangMs, 4_000, 0].map(startReceiver));
  const env = { REDIS_URL: redis.url, KEY_SECRET: keySecret };
  const newAccount = (plan, mode) =>
    createAccount(redis.url, {
      plan,
      mode,
      localWebhooks: true,
      overrides: unlimited,
      env: { KEY_SECRET: keySecret },
    });
  const endpoint = ({ accountId }, url, type) => {
    const made = ['webhooks', 'create', '--account', accountId, '--url', url, '--events', events.join()];
    const decides = type === 'sync' ? ['--on-failure', 'continue'] : [];
    return admin([...made, '--type', type, ...decides], env);
  };
  const post = async (path, bearer, body = {}) => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${text}`);
    return JSON.parse(text).data;
  };
  /** Delays in ms by what was measured. @type {Record<string, number[]>} */
  const delays = {};
  let lost = 0;
  const note = async (name, key, since, within) => {
    for (let left = within; !arrivals.has(key) && left > 0; left -= 20) await delay(20);
    const at = arrivals.get(key);
    if (at === undefined) lost++;
    else delays[name] = [...(delays[name] ?? []), at - since];
  };
  let running = true;
  try {
    const basic = await newAccount('basic', 'live');
    const tests = await newAccount('basic', 'test');
    await endpoint(basic, `${prompt.url}/basic`, 'async');
    await endpoint(tests, `${prompt.url}/tests`, 'async');
    // A synchronous response of 4 s, and an endpoint that hangs, beside one that responds.
    const mixed = await newAccount('growth', 'live');
    await endpoint(mixed, `${slow.url}/mixed`, 'sync');
    await endpoint(mixed, `${hangs.url}/mixed`, 'async');
    await endpoint(mixed, `${prompt.url}/mixed`, 'async');
    const others = [];
    for (let at = 0; at < hanging; at++) {
      const account = await newAccount('growth', 'test');
      for (const [type, count] of Object.entries(endpoints))
        for (let each = 0; each < count; each++)
          await endpoint(account, `${hangs.url}/${at}-${type}-${each}`, type);
      others.push(account);
    }
    const load = others.map(async ({ apiKey }) => {
      const create = () => post('/liveness', apiKey, { testOutcome: 'live' });
      await Promise.all(Array.from({ length: testSessions.atOnce }, create));
      for (; running; await delay(testSessions.everyMs))
        await Promise.all(Array.from({ length: testSessions.perRound }, create));
    });
    await delay(hanging > 0 ? 10_000 : 1_000);

    const measured = [];
    const cpuBefore = cpuSeconds(gateway.pid);
    for (let at = 0; at < (1_000 * seconds) / everyMs; at++) {
      const next = delay(everyMs);
      measured.push(
        (async () => {
          const { sessionId, accessToken } = await post('/liveness', basic.apiKey);
          const begin = performance.now();
          await post(`/liveness/${sessionId}/start`, accessToken);
          await note('live session.started', `/basic ${sessionId} session.started`, begin, 30_000);
          const left = performance.now();
          await post(`/liveness/${sessionId}/leave`, accessToken);
          await delay(graceMs);
          await note(
            'live session.cancelled',
            `/basic ${sessionId} session.cancelled`,
            left + graceMs,
            30_000,
          );
        })(),
        (async () => {
          const begin = performance.now();
          const { sessionId } = await post('/liveness', tests.apiKey, { testOutcome: 'live' });
          await note('test session.completed', `/tests ${sessionId} session.completed`, begin, 60_000);
        })(),
        (async () => {
          const { sessionId, accessToken } = await post('/liveness', mixed.apiKey);
          const begin = performance.now();
          const started = post(`/liveness/${sessionId}/start`, accessToken);
          await note('beside sync of 4 s', `/mixed ${sessionId} session.started`, begin, 30_000);
          await started;
        })(),
      );
      await next;
    }
    await Promise.all(measured);
    const cpu = cpuSeconds(gateway.pid) - cpuBefore;
    running = false;
    await Promise.all(load);
    const row = Object.entries(delays).map(([name, all]) => {
      const sorted = all.sort((a, b) => a - b);
      const at = (share) => Math.round(sorted[Math.ceil(sorted.length * share) - 1]);
      return `${name}: p50 ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)} ms (${sorted.length})`;
    });
    console.log(
      `${hanging} hanging accounts, ${lost} events lost, ${cpu.toFixed(1)} s of the gateway's processor time`,
    );
    for (const line of row.sort()) console.log(`  ${line}`);
  } finally {
    running = false;
    await gateway.stop();
    await redis.stop();
    for (const receiver of [hangs, slow, prompt]) receiver.close();
  }
}

await measure(0);
await measure(hangingAccounts);
