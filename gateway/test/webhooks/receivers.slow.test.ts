/**
 * The receivers of the contract: all are parsed, and run if their toolchain is installed. They accept only signed
 * events
 * and decide every outcome. Receivers without a JSON parser print no decision; decisions.test.ts runs theirs.
 *
 * Slow: it runs a receiver in each language.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { freePort, type RunningServer, startProcess } from '../../harness/index.mjs';
import { readContract } from '../../src/services/contract/contract';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { HttpSender } from '../../src/services/webhooks/sender';
import { signatureHeaders } from '../../src/services/webhooks/signature';
import { type LanguageName, syntaxErrors } from '../syntax';
import { outcomes } from './outcomes';

const folder = join(__dirname, '..', '..', 'contract', 'receivers');
const file = (name: string) => join(folder, name);
const secret = 'whsec_rqMywTjlWTTTYgFkx+UhsIdg38ZNMpm6';
const event = Buffer.from(JSON.stringify(readContract('examples/webhook-event--session-completed.json')));
const built = mkdtempSync(join(tmpdir(), 'presenza-receivers-'));
afterAll(() => rmSync(built, { recursive: true }));

const grammarOf: Record<string, LanguageName> = {
  '.dart': 'dart',
  '.java': 'java',
  '.kt': 'kotlin',
  '.mjs': 'javascript',
  '.php': 'php',
  '.py': 'python',
  '.swift': 'swift',
};
const receivers = readdirSync(folder).filter((name) => name !== 'README.md');

test.each(receivers)('%s is valid in its language, and invalid without its last bracket', async (name) => {
  const text = readFileSync(file(name), 'utf8');
  const grammar = grammarOf[extname(name)] as LanguageName;
  expect(await syntaxErrors(grammar, text)).toEqual([]);
  expect(await syntaxErrors(grammar, text.replace(/\)(?=[^)]*$)/, ''))).not.toEqual([]);
});

interface Language {
  readonly name: string;
  /** The required toolchain. */
  readonly tool: string;
  /** Builds the receiver. */
  readonly build?: readonly string[];
  readonly run: (port: number) => readonly string[];
  /** PHP's server prints nothing on stdout. */
  readonly ready?: RegExp;
  /** Java and Kotlin have no JSON parser of their own. */
  readonly decides: boolean;
}

const jar = join(built, 'receiver.jar');
const languages: readonly Language[] = [
  { name: 'Node.js', tool: process.execPath, run: () => [file('receiver.mjs')], decides: true },
  { name: 'Python', tool: 'python3', run: () => [file('receiver.py')], decides: true },
  {
    name: 'PHP',
    tool: 'php',
    run: (port) => ['-S', `127.0.0.1:${port}`, file('receiver.php')],
    ready: /started/,
    decides: true,
  },
  { name: 'Java', tool: 'java', run: () => [file('Receiver.java')], decides: false },
  {
    name: 'Kotlin',
    tool: 'kotlinc',
    build: [file('Receiver.kt'), '-include-runtime', '-d', jar],
    run: () => ['-jar', jar],
    decides: false,
  },
];
const isInstalled = ({ tool }: Language) => spawnSync(tool, ['--version']).error === undefined;

/** @throws Error if it exits before it listens */
async function start(
  { tool, run, build, ready = /listening on/ }: Language,
  variables: Record<string, string>,
): Promise<RunningServer> {
  const port = await freePort();
  const settings = { WEBHOOK_SECRET: secret, PORT: String(port), ...variables };
  const program = await startProcess(build ? 'java' : tool, run(port), { env: settings, ready });
  return Object.assign(program, { url: `http://127.0.0.1:${port}/webhooks` });
}

const sign = (body: Buffer, sentAt = Date.now(), key = secret, eventId = 'evt_0123456789012345678901') =>
  signatureHeaders({ eventId, sentAt, body, secrets: [key] });
const sender = new HttpSender(new AddressGuard({ allowLoopback: true }));
const minutes = 60_000;
const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

/** Signs with the current time, because a build may take minutes. */
const newCases = (): readonly [string, Buffer, Record<string, string>, number][] => [
  ['a true event', event, sign(event), 200],
  ['the old secret of two', event, rolled([secret, other]), 200],
  ['the new secret of two', event, rolled([other, secret]), 200],
  ['a clock 4 minutes off', event, sign(event, Date.now() - 4 * minutes), 200],
  ['another body', Buffer.from(`${event} `), sign(event), 401],
  ['another secret', event, sign(event, Date.now(), other), 401],
  ['a timestamp 6 minutes old', event, sign(event, Date.now() - 6 * minutes), 401],
  ['a timestamp of the future', event, sign(event, Date.now() + 6 * minutes), 401],
  ['another timestamp than signed', event, later(sign(event, Date.now() - 6 * minutes)), 401],
  ['no signatures', event, {}, 401],
  // The plain signature contains no time, so a recorded request could be replayed.
  ['X-Presenza-Signature alone', event, without(sign(event), 'webhook-signature'), 401],
  ['no webhook-id', event, without(sign(event), 'webhook-id'), 401],
  ['part of a signature', event, { ...sign(event), 'webhook-signature': 'v1,' }, 401],
  ['no text at all for a time', event, { ...sign(event), 'webhook-timestamp': 'now' }, 401],
  ['no payload', Buffer.alloc(0), sign(Buffer.alloc(0)), 400],
  ['no JSON', Buffer.from('{"eventType":'), sign(Buffer.from('{"eventType":')), 400],
];

function rolled(secrets: readonly [string, string]) {
  return signatureHeaders({ eventId: 'evt_1', sentAt: Date.now(), body: event, secrets });
}
function later(headers: Record<string, string>) {
  return { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
}
function without({ ...headers }: Record<string, string>, name: string) {
  delete headers[name];
  return headers;
}

const installed = languages.filter(isInstalled).map((language) => [language.name, language] as const);

describe.each(installed)('the receiver in %s', (_name, language) => {
  const started: RunningServer[] = [];
  const begin = async (variables: Record<string, string> = {}) => {
    const server = await start(language, variables);
    started.push(server);
    return server;
  };
  beforeAll(() => {
    const { tool, build } = language;
    if (build && spawnSync(tool, build).status !== 0) throw new Error(`${tool} failed`);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server.stop()));
  });

  test('accepts signed events and no others', async () => {
    const { url } = await begin();
    const responses: Record<string, unknown> = {};
    const cases = newCases();
    for (const [name, body, headers] of cases) {
      const result = await sender.post({ url, headers, body, timeoutMs: 10_000, withBody: true });
      responses[name] = [result.status, JSON.parse(String(result.body)).status];
    }
    expect(responses).toEqual(
      Object.fromEntries(
        cases.map(([name, , , status]) => [name, [status, status === 200 ? 'received' : undefined]]),
      ),
    );
  });

  test('rejects everything without its secret, because anyone could sign with an empty key', async () => {
    const receiver = await begin({ WEBHOOK_SECRET: '' }).catch(() => undefined);
    if (!receiver) return;
    const forged = { url: receiver.url, headers: sign(event, Date.now(), 'whsec_'), body: event };
    expect(await sender.post({ ...forged, timeoutMs: 10_000 })).toMatchObject({ status: 500 });
  });

  if (!language.decides) return;
  test('decides every outcome', async () => {
    const [withReference, without] = await Promise.all(
      ['true', 'false'].map((value) => begin({ WITH_REFERENCE: value })),
    );
    const decided: Record<string, boolean> = {};
    for (const [i, outcome] of outcomes.entries()) {
      const server = (outcome.withReference ? withReference : without) as RunningServer;
      const body = Buffer.from(JSON.stringify(outcome.event));
      const headers = sign(body, Date.now(), secret, `evt_${i}`);
      const { status } = await sender.post({ url: server.url, headers, body, timeoutMs: 10_000 });
      expect(status).toBe(200);
      const { eventType, sessionId } = outcome.event;
      const decision = await server.line(new RegExp(`evt_${i} ${eventType} ${sessionId} (not )?verified`));
      decided[outcome.name] = !decision.includes('not verified');
    }
    expect(decided).toEqual(Object.fromEntries(outcomes.map(({ name, isVerified }) => [name, isVerified])));
  });
});
