/**
 * The backends of the web guide: each creates sessions at a real gateway with a real Redis, receives every outcome and
 * decides it correctly. web/test/samples/followed-guides.slow.test.ts runs them by the commands of the guide, in a
 * browser.
 *
 * Slow: it runs the code of every guide in the language of the guide.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type RunningServer, startProcess, startRedis } from '../../harness/index.mjs';
import { createApp } from '../../src/http/app';
import { signatureHeaders } from '../../src/services/webhooks/signature';
import { connectRedis, type RedisClient } from '../../src/stores/redis';
import { codeWith } from '../code-blocks';
import { testImageBytes } from '../contract';
import { runScript } from '../script';
import { keepOpen, realServices } from '../services';
import { tierThatDetects } from '../stand-in';
import { outcomes } from './outcomes';

const quickStart = join(__dirname, '../../../web/content/docs/get-started.mdx');
const [secret, other] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`) as [
  string,
  string,
];
const signed = (body: Buffer, key = secret) =>
  signatureHeaders({ eventId: 'evt_1', sentAt: Date.now(), body, secrets: [key] });
/** Headers with a valid signature of a time. @param ms from now */
const signedAt = (body: Buffer, ms: number) =>
  signatureHeaders({ eventId: 'evt_1', sentAt: Date.now() + ms, body, secrets: [secret] });
const bytesOf = (event: object) => Buffer.from(JSON.stringify(event));
const [live] = outcomes as [(typeof outcomes)[0]];

const folder = mkdtempSync(join(tmpdir(), 'presenza-guides-'));
const photo = join(folder, 'user-4711.jpg');
let store: RunningServer;
let redis: RedisClient;
let api: Server;
let apiKey: string;

beforeAll(async () => {
  cpSync(join(__dirname, '../../contract/apps/web'), folder, { recursive: true });
  writeFileSync(photo, testImageBytes('face'));
  store = await startRedis();
  redis = await connectRedis({ url: store.url, cluster: false }, () => {});
  // The reference image is a test image, which no tier analyzes.
  const tier = tierThatDetects(() => Promise.reject(new Error('not expected')));
  const services = realServices(redis, tier);
  api = createServer(keepOpen, createApp(services)).listen(0, '127.0.0.1');
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

interface Language {
  readonly name: string;
  readonly tool: string;
  /** Arguments that print the version of the tool. */
  readonly version: string;
  readonly command: (port: number) => readonly [string, ...string[]];
  readonly build?: readonly string[];
  /** Whether the server reads its settings with each request, because it never starts by itself. */
  readonly readsLate?: boolean;
}

const languages: readonly Language[] = [
  {
    name: 'Node.js',
    tool: process.execPath,
    version: '--version',
    command: () => [process.execPath, 'node/server.mjs'],
  },
  {
    name: 'Python',
    tool: 'python3',
    version: '--version',
    command: () => ['python3', 'python/server.py'],
  },
  {
    name: 'Go',
    tool: 'go',
    version: 'version',
    build: ['build', '-o', 'server', 'go/server.go'],
    command: () => ['./server'],
  },
  {
    name: 'PHP',
    tool: 'php',
    version: '--version',
    readsLate: true,
    command: (port) => ['php', '-q', '-S', `127.0.0.1:${port}`, '-t', 'public', 'php/server.php'],
  },
];

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

async function startBackend({ command }: Language, variables: Record<string, string> = {}): Promise<Backend> {
  const port = await freePort();
  const API_URL = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  const settings = { API_URL, API_KEY: apiKey, WEBHOOK_SECRET: secret, PORT: String(port), ...variables };
  const [program, ...args] = command(port);
  const running = await startProcess(program, args, {
    cwd: folder,
    env: settings,
    ready: /listening on|started/,
  });
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

const isInstalled = ({ tool, version }: Language) => spawnSync(tool, [version]).error === undefined;

describe.each(languages.filter(isInstalled))('the backend in $name', (language) => {
  const started: Backend[] = [];
  const start = async (variables: Record<string, string> = {}) => {
    const backend = await startBackend(language, variables);
    started.push(backend);
    return backend;
  };
  let backend: Backend;
  let withReference: Backend;
  beforeAll(async () => {
    if (language.build) {
      const { status, stderr } = spawnSync(language.tool, language.build, { cwd: folder, encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    }
    [backend, withReference] = await Promise.all([start(), start({ REFERENCE_PHOTO: photo })]);
  });
  afterAll(async () => {
    await Promise.all(started.map((backend) => backend.stop()));
  });

  test('lets in whom each outcome lets in', async () => {
    const decided: Record<string, string> = {};
    for (const outcome of outcomes) {
      const server = outcome.withReference ? withReference : backend;
      const sessionId = await server.check();
      const body = bytesOf({ ...outcome.event, sessionId });
      expect(await server.send(body, signed(body))).toBe(200);
      decided[outcome.name] = await server.status(sessionId);
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

  test('refuses a webhook that it cannot verify, and lets nobody in for it', async () => {
    const sessionId = await backend.check();
    const body = bytesOf({ ...live.event, sessionId });
    const { 'webhook-signature': standard = '', ...plain } = signed(body);
    // A replay has a valid signature of an old time.
    const replays = [-360_000, -86_400_000, 360_000].map((ms) => signedAt(body, ms));
    const invalid = [{}, plain, signed(body, other), signed(Buffer.from('{}')), signed(body, 'whsec_')];
    const forged = [...invalid, ...replays];
    for (const headers of forged) expect(await backend.send(body, headers)).toBe(401);
    expect(await backend.status(sessionId)).toBe('pending');
    // The secret is being rotated.
    const rolled = { ...plain, 'webhook-signature': `v1,AAAA ${standard}` };
    expect(await backend.send(body, rolled)).toBe(200);
    expect(await backend.status(sessionId)).toBe('passed');
  });

  test('keeps the first outcome, and knows only its own checks', async () => {
    const sessionId = await backend.check();
    const failed = bytesOf({ ...live.event, sessionId, eventType: 'session.failed', result: undefined });
    const passed = bytesOf({ ...live.event, sessionId });
    const elsewhere = bytesOf(live.event);
    for (const body of [failed, passed, elsewhere]) expect(await backend.send(body, signed(body))).toBe(200);
    expect(await backend.status(sessionId)).toBe('failed');
    expect(await backend.status(live.event.sessionId)).toBe('unknown');
  });

  test.each([
    ['an empty payload', '', 400],
    ['text that is not JSON', '{"eventType":', 400],
    ['JSON that is no event', 'null', 400],
    ['a payload that is too large', JSON.stringify('a'.repeat(2 ** 16 - 1)), 413],
  ])('refuses %s with a reason', async (_, payload, status) => {
    const headers = { ...signed(Buffer.from(payload)), 'content-type': 'application/json' };
    const response = await fetch(`${backend.url}/webhooks`, { method: 'POST', headers, body: payload });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  test('serves its pages and nothing else of its folder', async () => {
    const read = async (path: string) => (await fetch(`${backend.url}${path}`)).text();
    expect(await read('/')).toContain('id="verify"');
    expect(await read('/check-done.html?status=completed')).toContain('/check-done.js');
    for (const path of ['/server.mjs', '/../README.md', '/%2e%2e/README.md', '/php/checks.json'])
      expect(await read(path)).not.toMatch(/Face check|createServer|user-4711/);
  });

  test('logs no session id, no query string, no secret and no stack', async () => {
    const started = await start();
    const sessionId = await started.check();
    await fetch(`${started.url}/checks/${sessionId}?token=from-the-app`);
    const body = bytesOf({ ...live.event, sessionId });
    expect(await started.send(body, signed(body, other))).toBe(401);
    expect(await started.send(body, signed(body))).toBe(200);
    const logs = [await started.stop(), await backend.stop()].join('\n');
    for (const text of [sessionId, 'from-the-app', apiKey, secret]) expect(logs).not.toContain(text);
    expect(logs).not.toMatch(/Traceback|Error|Warning|^\s+at /m);
  });

  test('reports why a check does not start, without the key or a stack', async () => {
    const refused = 'key_that_the_service_does_not_know';
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    for (const variables of [{ API_URL: nowhere }, { API_KEY: refused }]) {
      const backend = await start(variables);
      const response = await fetch(`${backend.url}/checks`, { method: 'POST' });
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ error: 'The check could not be started.' });
      const log = await backend.stop();
      expect(log).toMatch(/The check could not be started: \S+/);
      expect(log).not.toMatch(/Traceback|Warning|^\s+at /m);
      expect(log).not.toContain(refused);
    }
  });

  test.each([
    [{ API_URL: '' }, 'Set API_URL and API_KEY'],
    [{ API_KEY: '' }, 'Set API_URL and API_KEY'],
    [{ WEBHOOK_SECRET: '' }, 'must be the secret of the endpoint'],
    [{ WEBHOOK_SECRET: 'whsec_abc' }, 'must be the secret of the endpoint'],
  ])('does not work with %j, and names what is missing', async (variables, reason) => {
    const backend = await start(variables).catch((failure: Error) => failure);
    const refuse = async (late: Backend) => {
      const body = bytesOf(live.event);
      expect(await late.send(body, signed(body, 'whsec_'))).toBe(500);
      return late.stop();
    };
    expect(backend instanceof Error).toBe(language.readsLate !== true);
    const text = backend instanceof Error ? String(backend) : await refuse(backend);
    expect(text).toContain(reason);
    expect(text).not.toMatch(/Traceback|node:internal/);
  });
});

const missing = languages.filter((language) => !isInstalled(language));
for (const { name, tool } of missing)
  test.skip(`the backend in ${name}, skipped because ${tool} is not installed`, () => {});

describe('the handler of the quick start', () => {
  const code = codeWith(quickStart, "from 'standardwebhooks'");
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
    for (const headers of [{}, signed(body, other), signed(Buffer.from('{}')), signedAt(body, -360_000)])
      expect(() => isVerified(body, headers, false)).toThrow();
  });
});
