/** The receivers of the contract: all are parsed, and run for real where their toolchain is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { readContract } from '../../src/services/contract';
import { AddressGuard } from '../../src/services/webhooks/address-guard';
import { HttpSender } from '../../src/services/webhooks/sender';
import { signatureHeaders } from '../../src/services/webhooks/signature';
import { freePort } from '../processes';
import { type LanguageName, syntaxErrors } from '../syntax';

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

test.each(receivers)('%s is of its language, and would not be without its last bracket', async (name) => {
  const text = readFileSync(file(name), 'utf8');
  const grammar = grammarOf[extname(name)] as LanguageName;
  expect(await syntaxErrors(grammar, text)).toEqual([]);
  expect(await syntaxErrors(grammar, text.replace(/\)(?=[^)]*$)/, ''))).not.toEqual([]);
});

interface Language {
  readonly name: string;
  /** What has to be installed. */
  readonly tool: string;
  /** Makes it ready to run. */
  readonly build?: readonly string[];
  readonly run: (port: number) => readonly string[];
  /** PHP's server prints nothing on its output. */
  readonly ready?: RegExp;
}

const jar = join(built, 'receiver.jar');
const languages: readonly Language[] = [
  { name: 'Node.js', tool: process.execPath, run: () => [file('receiver.mjs')] },
  { name: 'Python', tool: 'python3', run: () => [file('receiver.py')] },
  {
    name: 'PHP',
    tool: 'php',
    run: (port) => ['-S', `127.0.0.1:${port}`, file('receiver.php')],
    ready: /started/,
  },
  { name: 'Java', tool: 'java', run: () => [file('Receiver.java')] },
  {
    name: 'Kotlin',
    tool: 'kotlinc',
    build: [file('Receiver.kt'), '-include-runtime', '-d', jar],
    run: () => ['-jar', jar],
  },
];
const isInstalled = ({ tool }: Language) => spawnSync(tool, ['--version']).error === undefined;

async function start({ tool, build, run, ready = /listening on/ }: Language, port: number) {
  if (build && spawnSync(tool, build).status !== 0) throw new Error(`${tool} failed`);
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const child = spawn(build ? 'java' : tool, run(port), { env });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${tool} ended with ${code}`)));
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => ready.test(line) && resolve());
  });
  return child;
}

const sign = (body: Buffer, sentAt = Date.now(), of = secret) =>
  signatureHeaders({ eventId: 'evt_0123456789012345678901', sentAt, body, secrets: [of] });
const minutes = 60_000;
const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

const cases: readonly [string, Buffer, Record<string, string>, number][] = [
  ['a true event', event, sign(event), 200],
  ['one of two secrets', event, bothOf(sign(event), sign(event, Date.now(), other)), 200],
  ['a clock 4 minutes off', event, sign(event, Date.now() - 4 * minutes), 200],
  ['another body', Buffer.from(`${event} `), sign(event), 401],
  ['another secret', event, sign(event, Date.now(), other), 401],
  ['a timestamp 6 minutes old', event, sign(event, Date.now() - 6 * minutes), 401],
  ['a timestamp of the future', event, sign(event, Date.now() + 6 * minutes), 401],
  ['another timestamp than signed', event, later(sign(event, Date.now() - 6 * minutes)), 401],
  ['no signatures', event, {}, 401],
  ['no X-Presenza-Signature', event, without(sign(event), 'X-Presenza-Signature'), 401],
  ['no webhook-signature', event, without(sign(event), 'webhook-signature'), 401],
  ['part of a signature', event, { ...sign(event), 'X-Presenza-Signature': 'sha256=' }, 401],
  ['no text at all for a time', event, { ...sign(event), 'webhook-timestamp': 'now' }, 401],
  ['no payload', Buffer.alloc(0), sign(Buffer.alloc(0)), 400],
  ['no JSON', Buffer.from('{"eventType":'), sign(Buffer.from('{"eventType":')), 400],
];

function bothOf(mine: Record<string, string>, others: Record<string, string>) {
  return { ...mine, 'webhook-signature': `${others['webhook-signature']} ${mine['webhook-signature']}` };
}
function later(headers: Record<string, string>) {
  return { ...headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
}
function without({ ...headers }: Record<string, string>, name: string) {
  delete headers[name];
  return headers;
}

const here = languages.filter(isInstalled).map((language) => [language.name, language] as const);

describe.each(here)('in %s', (_name, language) => {
  let child: ChildProcess | undefined;
  afterAll(async () => {
    if (!child || child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  test('true events are received, and false ones are not', async () => {
    const port = await freePort();
    child = await start(language, port);
    const sender = new HttpSender(new AddressGuard({ allowLoopback: true }));
    const answers: Record<string, unknown> = {};
    for (const [name, body, headers] of cases) {
      const url = `http://127.0.0.1:${port}/webhooks`;
      const result = await sender.post({ url, headers, body, timeoutMs: 10_000, withBody: true });
      answers[name] = [result.status, JSON.parse(String(result.body)).status];
    }
    expect(answers).toEqual(
      Object.fromEntries(
        cases.map(([name, , , status]) => [name, [status, status === 200 ? 'received' : undefined]]),
      ),
    );
  }, 120_000);
});
