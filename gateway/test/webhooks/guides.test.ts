/**
 * The backends of the guides, copied from the pages: each creates sessions at a real gateway with a real Redis, receives
 * every outcome and decides it correctly.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  freePort,
  type RunningServer,
  startProcess,
  startRedis,
} from '../../../deploy/local/harness/index.mjs';
import { createApp } from '../../src/http/app';
import { signatureHeaders } from '../../src/services/webhooks/signature';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { codeWith } from '../code-blocks';
import { testImageBytes } from '../contract';
import { runScript } from '../script';
import { realServices } from '../services';
import { tierThatDetects } from '../stand-in';
import { outcomes } from './outcomes';

const docs = join(__dirname, '../../../web/content/docs');
const blockWith = (page: string, words: string) => codeWith(join(docs, page), words);

const [secret, other] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
  string,
  string,
];
const signed = (body: Buffer, of = secret) =>
  signatureHeaders({ eventId: 'evt_1', sentAt: Date.now(), body, secrets: [of] });
const bytesOf = (event: object) => Buffer.from(JSON.stringify(event));
const [live] = outcomes as [(typeof outcomes)[0]];

const folder = mkdtempSync(join(tmpdir(), 'presenza-guides-'));
const photo = join(folder, 'user-4711.jpg');
let store: RunningServer;
let redis: RedisClient;
let api: Server;
let apiKey: string;

beforeAll(async () => {
  writeFileSync(join(folder, 'server.mjs'), blockWith('web/api-integration.mdx', '// server.mjs'));
  writeFileSync(join(folder, 'server.py'), blockWith('flutter/api-integration.mdx', '"""server.py'));
  writeFileSync(photo, testImageBytes('face'));
  store = await startRedis();
  redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  // The reference image is a test image, which no tier analyzes.
  const tier = tierThatDetects(() => Promise.reject(new Error('not expected')));
  const services = realServices(redis, tier);
  api = createServer(createApp(services)).listen(0, '127.0.0.1');
  await once(api, 'listening');
  const { id } = await services.keys.createAccount('Guides', 'growth');
  apiKey = (await services.keys.createKey(id, 'test')).apiKey;
});
afterAll(async () => {
  api.closeAllConnections();
  api.close();
  redis.disconnect();
  await store.stop();
  rmSync(folder, { recursive: true });
});

interface Backend {
  readonly url: string;
  /** Starts a verification. @returns the id of its session */
  check(): Promise<string>;
  /** @returns the status of the response */
  send(body: Buffer, headers: Record<string, string>): Promise<number>;
  status(sessionId: string): Promise<string>;
  /** Stops the backend. @returns everything that it logged */
  stop(): Promise<string>;
}

async function startBackend(
  command: readonly [string, ...string[]],
  port: number,
  variables: Record<string, string>,
): Promise<Backend> {
  const API_URL = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const settings = { API_URL, API_KEY: apiKey, WEBHOOK_SECRET: secret, PORT: String(port), ...variables };
  const ready = /listening on|Running on/;
  const [program, ...args] = command;
  const running = await startProcess(program, args, { cwd: folder, env: settings, ready });
  const url = `http://127.0.0.1:${port}`;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check each response
  const json = async (response: Response): Promise<any> => {
    expect(response.status).toBe(200);
    return response.json();
  };
  return {
    url,
    check: async () => (await json(await fetch(`${url}/checks`, { method: 'POST' }))).sessionId,
    async send(body, headers) {
      const all = { ...headers, 'content-type': 'application/json' };
      return (await fetch(`${url}/webhooks`, { method: 'POST', headers: all, body: new Uint8Array(body) }))
        .status;
    },
    status: async (sessionId) => (await json(await fetch(`${url}/checks/${sessionId}`))).status,
    stop: async () => {
      await running.kill();
      return running.log.join('\n');
    },
  };
}

const hasFlask = spawnSync('python3', ['-c', 'import flask, requests']).status === 0;
const flask = (port: number) =>
  ['python3', '-m', 'flask', '--app', 'server', 'run', '--port', String(port)] as const;
const backends = [
  {
    name: 'Node.js, for web and iOS',
    command: () => [process.execPath, 'server.mjs'] as const,
    isInstalled: true,
  },
  { name: 'Python, for Flutter and Android', command: flask, isInstalled: hasFlask },
];

describe.each(backends)('the backend in $name', ({ command, isInstalled }) => {
  const started: Backend[] = [];
  const start = async (variables: Record<string, string> = {}) => {
    const port = await freePort();
    const backend = await startBackend([...command(port)] as [string, ...string[]], port, variables);
    started.push(backend);
    return backend;
  };
  afterEach(async () => {
    await Promise.all(started.splice(0).map((backend) => backend.stop()));
  });
  const ifInstalled = isInstalled ? test : test.skip;

  ifInstalled('lets in whom each outcome lets in', async () => {
    const [withReference, without] = await Promise.all([start({ REFERENCE_PHOTO: photo }), start()]);
    const decided: Record<string, string> = {};
    for (const outcome of outcomes) {
      const backend = outcome.withReference ? withReference : without;
      const sessionId = await backend.check();
      const body = bytesOf({ ...outcome.event, sessionId });
      expect(await backend.send(body, signed(body))).toBe(200);
      decided[outcome.name] = await backend.status(sessionId);
    }
    const expected = outcomes.map(({ name, event, isVerified }) => {
      const status = event.eventType
        .replace('session.', '')
        .replace('completed', 'failed')
        .replace('started', 'pending');
      return [name, isVerified ? 'passed' : status];
    });
    expect(decided).toEqual(Object.fromEntries(expected));
  });

  ifInstalled('refuses a webhook that it cannot verify, and lets nobody in for it', async () => {
    const backend = await start();
    const sessionId = await backend.check();
    const body = bytesOf({ ...live.event, sessionId });
    const { 'webhook-signature': standard = '', ...plain } = signed(body);
    const late = signatureHeaders({
      eventId: 'evt_1',
      sentAt: Date.now() - 360_000,
      body,
      secrets: [secret],
    });
    const forged = [{}, plain, signed(body, other), signed(Buffer.from('{}')), late, signed(body, 'whsec_')];
    for (const headers of forged) expect(await backend.send(body, headers)).toBe(401);
    expect(await backend.status(sessionId)).toBe('pending');
    // During the rotation of the secret.
    const rolled = { ...plain, 'webhook-signature': `v1,AAAA ${standard}` };
    expect(await backend.send(body, rolled)).toBe(200);
    expect(await backend.status(sessionId)).toBe('passed');
  });

  ifInstalled('keeps the first outcome, and knows only its own checks', async () => {
    const backend = await start();
    const sessionId = await backend.check();
    const failed = bytesOf({ ...live.event, sessionId, eventType: 'session.failed', result: undefined });
    const passed = bytesOf({ ...live.event, sessionId });
    const elsewhere = bytesOf(live.event);
    for (const body of [failed, passed, elsewhere]) expect(await backend.send(body, signed(body))).toBe(200);
    expect(await backend.status(sessionId)).toBe('failed');
    expect(await backend.status(live.event.sessionId)).toBe('unknown');
  });

  ifInstalled('serves the page of the web guide, which starts a check and shows its outcome', async () => {
    const { url, send } = await start();
    const begin = jest.fn<void, [string, () => Promise<void>]>();
    const button = { addEventListener: begin, disabled: false };
    const outcome = { textContent: '' };
    const kept = new Map<string, string>();
    const location = { assign: jest.fn() };
    const browser = {
      document: { querySelector: (selector: string) => (selector === '#verify' ? button : outcome) },
      sessionStorage: { setItem: kept.set.bind(kept), getItem: kept.get.bind(kept) },
      location,
      fetch: (path: string, options: RequestInit) => fetch(url + path, options),
    };
    await runScript(blockWith('web/api-integration.mdx', '// verify.js'), { names: browser });
    await begin.mock.calls[0]?.[1]();
    const sessionId = kept.get('check');
    expect(location.assign).toHaveBeenCalledWith(expect.stringContaining(`#${sessionId}`));
    const body = bytesOf({ ...live.event, sessionId });
    expect(await send(body, signed(body))).toBe(200);
    await runScript(blockWith('web/api-integration.mdx', '// check-done.js'), { names: browser });
    expect(outcome.textContent).toBe('Thank you, that worked.');
  });

  ifInstalled.each([
    ['an empty payload', '', 400],
    ['text that is not JSON', '{"eventType":', 400],
    ['JSON that is no event', 'null', 400],
    ['a payload that is too large', JSON.stringify('a'.repeat(2 ** 16)), 413],
  ])('refuses %s with a reason and without a stack', async (_, payload, status) => {
    const backend = await start();
    const body = Buffer.from(payload);
    const headers = { ...signed(body), 'content-type': 'application/json' };
    const response = await fetch(`${backend.url}/webhooks`, { method: 'POST', headers, body: payload });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.any(String) });
    expect(await backend.stop()).not.toMatch(/Traceback|Error|^\s+at /m);
  });

  ifInstalled('reports why a check does not start, without the key or a stack', async () => {
    const refused = 'key_that_the_service_does_not_know';
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    for (const variables of [{ API_URL: nowhere }, { API_KEY: refused }]) {
      const backend = await start(variables);
      const response = await fetch(`${backend.url}/checks`, { method: 'POST' });
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ error: 'The check could not be started.' });
      const log = await backend.stop();
      expect(log).toMatch(/The check could not be started: \S+/);
      expect(log).not.toMatch(/Traceback|^\s+at /m);
      expect(log).not.toContain(refused);
    }
  });

  ifInstalled('logs no session id and no query string', async () => {
    const backend = await start();
    const sessionId = await backend.check();
    expect(await backend.status(sessionId)).toBe('pending');
    await fetch(`${backend.url}/checks/${sessionId}?token=from-the-app`);
    const body = bytesOf({ ...live.event, sessionId });
    expect(await backend.send(body, signed(body, other))).toBe(401);
    const log = await backend.stop();
    for (const secretText of [sessionId, 'from-the-app', apiKey, secret])
      expect(log).not.toContain(secretText);
  });

  ifInstalled('knows no check after a restart, and still accepts its webhook', async () => {
    const before = await start();
    const sessionId = await before.check();
    await before.stop();
    const after = await start();
    const body = bytesOf({ ...live.event, sessionId });
    expect(await after.send(body, signed(body))).toBe(200);
    expect(await after.status(sessionId)).toBe('unknown');
  });

  ifInstalled.each([
    [{ API_URL: '' }, 'Set API_URL and API_KEY'],
    [{ API_KEY: '' }, 'Set API_URL and API_KEY'],
    [{ WEBHOOK_SECRET: '' }, 'must be the secret of the endpoint'],
    [{ WEBHOOK_SECRET: 'whsec_abc' }, 'must be the secret of the endpoint'],
  ])('does not start with %j, and names what is missing', async (variables, reason) => {
    const error = await start(variables).catch((failure: Error) => failure);
    expect(String(error)).toContain(reason);
    expect(String(error)).not.toMatch(/Traceback|node:internal/);
  });
});

describe('the handler of the quick start', () => {
  const code = blockWith('get-started.mdx', "from 'standardwebhooks'");
  let isVerified: (body: Buffer, headers: object, withReference: boolean) => boolean;
  beforeAll(async () => {
    const names = { process: { env: { WEBHOOK_SECRET: secret } } };
    ({ isVerified } = (await runScript(code, { names })) as { isVerified: typeof isVerified });
  });

  test.each(outcomes)('decides the outcome: $name', ({ event, withReference, isVerified: expected }) => {
    const body = bytesOf(event);
    expect(isVerified(body, signed(body), withReference)).toBe(expected);
  });

  test('rejects requests that it cannot verify', () => {
    const body = bytesOf(live.event);
    for (const headers of [{}, signed(body, other), signed(Buffer.from('{}'))])
      expect(() => isVerified(body, headers, false)).toThrow();
  });
});
