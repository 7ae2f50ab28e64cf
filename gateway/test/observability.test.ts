/** The gateway reports its work in Server-Timing, the log and the metrics, and never whose work it was. */

import { ApiError } from '../src/errors';
import type { Services } from '../src/http/app';
import { StalePrototypes } from '../src/services/inference/inference-client';
import { noAccount } from '../src/services/keys/accounts';
import { Admission } from '../src/services/limits/admission';
import { imageBody, json, StandIn, tierThatDetects } from './stand-in';

/** Resolves when everything that was begun has been reported of as well. */
async function serving(act: (standIn: StandIn) => Promise<unknown>, services: Partial<Services> = {}) {
  const standIn = await StandIn.start(services);
  try {
    await act(standIn);
  } finally {
    await standIn.stop();
  }
  return standIn;
}

const reject = (error: Error): never => {
  throw error;
};
const metricsOf = ({ metrics }: StandIn) => metrics.registry.metrics();
const timingOf = (head: string) => /^server-timing: (.*)$/im.exec(head)?.[1];

describe('Server-Timing', () => {
  test('reports the stages of a response', async () => {
    await serving(async (standIn) => {
      const { head } = await standIn.connect().detect().reply();
      expect(timingOf(head)).toMatch(
        /^auth;dur=[\d.]+, read;dur=[\d.]+, meter;dur=[\d.]+, total;dur=[\d.]+$/,
      );
    });
  });

  test.each([
    ['an error', 'POST /detect HTTP/1.1', { Authorization: 'Bearer wrong' }],
    ['an unknown path', 'POST /nothing HTTP/1.1', {}],
    ['health', 'GET /health HTTP/1.1', {}],
  ])('%s has none', async (_name, head, headers) => {
    await serving(async (standIn) => {
      const reply = await standIn.connect().send(head, headers).reply();
      expect(timingOf(reply.head)).toBeUndefined();
    });
  });
});

describe('the log line of a request', () => {
  test('reports operation, status and where the time went', async () => {
    const { log } = await serving((standIn) => standIn.connect().detect().reply());
    expect(log).toEqual([
      expect.objectContaining({
        msg: 'request',
        operation: 'detect',
        status: 200,
        bytesIn: imageBody.length,
        stages: { auth: expect.any(Number), read: expect.any(Number), meter: expect.any(Number) },
      }),
    ]);
  });

  test('the log line contains no key, account, address, path, query or image', async () => {
    const headers = { ...json, 'Content-Length': imageBody.length, 'X-Forwarded-For': '203.0.113.7' };
    const odd = { Authorization: 'Bearer wrong', 'X-Request-Id': 'two words', traceparent: '00-secret' };
    const standIn = await serving(async (server) => {
      await server.connect().send('POST /detect HTTP/1.1', headers, imageBody).reply();
      await server.connect().send('POST /detect?person=ada HTTP/1.1', headers, imageBody).reply();
      await server.connect().send('POST /detect HTTP/1.1', odd).reply();
    });
    expect(standIn.log).toHaveLength(3);
    const reported = JSON.stringify(standIn.log) + (await metricsOf(standIn));
    const secrets = [
      'right',
      'wrong',
      'acc_1',
      'key_1',
      '203.0.113',
      '127.0.0.1',
      'ada',
      '/9j/',
      'two words',
      '00-secret',
    ];
    for (const secret of secrets) expect(reported).not.toContain(secret);
  });
});

describe('warnings and failures identify the request but not the caller', () => {
  const moderate = 'POST /moderate HTTP/1.1';
  const usage = 'GET /usage HTTP/1.1';
  const away = new ApiError('SERVICE_UNAVAILABLE', { reason: 'store', cause: noAccount('acc_1') });
  const stale = {
    ...tierThatDetects(() => Promise.reject()),
    moderate: () => Promise.reject(new StalePrototypes()),
  };
  const [warning, failure] = [40, 50];

  test.each<[string, string, Partial<Services>, number]>([
    [
      'own categories left out',
      moderate,
      { categories: { listCategories: async () => reject(away) } },
      warning,
    ],
    ['own categories of another model', moderate, { inference: stale }, warning],
    [
      'an unforeseen refusal',
      usage,
      { accounts: { findAccount: async (id) => reject(noAccount(id)) } },
      failure,
    ],
    ['the cause of a failure', usage, { accounts: { findAccount: async () => reject(away) } }, failure],
  ])('%s', async (_name, head, services, level) => {
    const headers = { ...json, 'Content-Length': imageBody.length, 'X-Request-Id': 'mine' };
    const { log } = await serving(
      (server) => server.connect().send(head, headers, imageBody).reply(),
      services,
    );
    expect(log).toContainEqual(expect.objectContaining({ level, requestId: 'mine' }));
    expect(JSON.stringify(log)).not.toMatch(/acc_1|key_1/);
  });
});

describe('metrics', () => {
  test('refusals are counted by code and reason, and keys by how they fared', async () => {
    const standIn = await serving(async (server) => {
      await server.connect().detect().reply();
      await server.connect().detect('{"image":1}').reply();
      await server.connect().send('POST /detect HTTP/1.1', { Authorization: 'Bearer wrong' }).reply();
      await server.connect().send('no HTTP').reply();
    });
    const text = await metricsOf(standIn);
    for (const line of [
      'presenza_gateway_refusals_total{code="INVALID_PARAMETERS",reason="type"} 1',
      'presenza_gateway_refusals_total{code="INVALID_API_KEY",reason="none"} 1',
      'presenza_gateway_refusals_total{code="INVALID_PARAMETERS",reason="http"} 1',
      'presenza_gateway_authentications_total{outcome="accepted"} 2',
      'presenza_gateway_authentications_total{outcome="refused"} 1',
    ]) {
      expect(text).toContain(`${line}\n`);
    }
  });

  test('the lag of the ledger is read at each scrape and is never negative', async () => {
    const { metrics } = await serving(async () => {});
    let journal = { pending: 0, oldestAt: undefined as Date | undefined, rejectedBytes: 0 };
    metrics.watchJournal({
      get pending() {
        return journal.pending;
      },
      get oldestAt() {
        return journal.oldestAt;
      },
      get rejectedBytes() {
        return journal.rejectedBytes;
      },
    });
    const gauge = async (name: string) =>
      Number(
        new RegExp(`^presenza_gateway_journal_${name} (.+)$`, 'm').exec(
          await metrics.registry.metrics(),
        )?.[1],
      );
    expect([await gauge('pending'), await gauge('oldest_seconds'), await gauge('rejected_bytes')]).toEqual([
      0, 0, 0,
    ]);
    journal = { pending: 3, oldestAt: new Date(Date.now() - 90_000), rejectedBytes: 120 };
    expect([await gauge('pending'), await gauge('rejected_bytes')]).toEqual([3, 120]);
    expect(await gauge('oldest_seconds')).toBeGreaterThanOrEqual(90);
    expect(await gauge('oldest_seconds')).toBeLessThan(100);
    journal.oldestAt = new Date(Date.now() + 60_000);
    expect(await gauge('oldest_seconds')).toBe(0);
  });

  test('in-flight and event loop gauges are read at each scrape', async () => {
    const admission = new Admission({ maxRequests: 9, maxBodyBytes: 2 ** 28 });
    let during = '';
    let standIn: StandIn | undefined;
    const inference = tierThatDetects(async () => {
      during = await metricsOf(standIn as StandIn);
      return { faces: [] } as never;
    });
    await serving(
      async (server) => {
        standIn = server;
        server.metrics.watchAdmission(admission);
        server.metrics.watchAdaptiveLimit({ value: 40.5 });
        await server.connect().detect().reply();
      },
      { admission, inference },
    );
    expect(during).toContain('presenza_gateway_requests_in_flight 1\n');
    expect(during).toContain(`presenza_gateway_body_bytes_in_flight ${imageBody.length}\n`);
    expect(during).toContain('presenza_gateway_adaptive_limit 40.5\n');
    const [, busy] = /^presenza_gateway_event_loop_utilization (.+)$/m.exec(during) ?? [];
    expect(Number(busy)).toBeGreaterThan(0);
    expect(Number(busy)).toBeLessThanOrEqual(1);
    expect(await metricsOf(standIn as StandIn)).toContain('presenza_gateway_requests_in_flight 0\n');
  });
});
