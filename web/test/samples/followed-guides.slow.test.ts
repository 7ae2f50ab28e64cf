/**
 * Two guides, followed by their own commands against a real service, each in an empty folder and with the files of the site. Web: each backend starts a
 * check in a browser, receives the webhook, and shows the outcome. Local webhooks: the receiver prints the events.
 *
 * Slow: it follows the guides with a real service, including the installation of packages.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import {
  freePort,
  removeFolder,
  type Service,
  startProcess,
  startService,
  temporaryFolder,
} from '../../../gateway/harness/index.mjs';
import { codeBlocksOf } from '../../../gateway/test/code-blocks';
import { sharedTierUrl } from '../../../gateway/test/shared-tier';
import texts from '../../content/verify/en.json';
import { launch } from '../chromium';
import { ROOT } from './blocks';
import { runShell } from './shell';

const START = /^TEST_OUTCOME=live (\S+) /;
const commandsOf = (page: string) =>
  codeBlocksOf(join(ROOT, 'web/content/docs', page))
    .filter(({ language }) => language === 'bash')
    .map(({ code }) => code);
const commands = commandsOf('web/api-integration.mdx');
const setUp = commands.slice(
  0,
  commands.findIndex((code) => START.test(code)),
);
const starts = commands.flatMap((code) => {
  const [, program] = START.exec(code) ?? [];
  return program ? [{ program, code }] : [];
});

const installed = starts.filter(({ program }) => spawnSync(program, ['version']).error === undefined);
/** The outcomes, by program. */
const followed = new Map<string, Promise<string>>();

let service: Service;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([
    startService({ site: true, inferenceUrl: sharedTierUrl() }),
    launch(),
  ]);
  // Both run at the same time, because the hosted page takes seconds to learn that a test session has ended.
  for (const { program, code } of installed) followed.set(program, followWebGuide(code).catch(String));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('the guide starts four backends', () => {
  expect(starts.map(({ program }) => program)).toEqual(['node', 'python3', 'go', 'php']);
});

for (const start of starts) {
  const title = `the backend that ${start.program} runs leads to a verified webhook`;
  if (!installed.includes(start))
    test.skip(`${title}, skipped because ${start.program} is not installed`, () => {});
  else
    test(title, async () => {
      expect(await followed.get(start.program)).toBe('/check-done.html: Thank you, that worked.');
    });
}

/** @returns the last page and the outcome that it shows */
async function followWebGuide(start: string): Promise<string> {
  const [port, { apiKey }] = await Promise.all([freePort(), service.createAccount({ mode: 'test' })]);
  const folder = temporaryFolder();
  const addresses = {
    '{siteUrl}': service.siteUrl,
    'http://127.0.0.1:8080': service.url,
    '127.0.0.1:3000': `127.0.0.1:${port}`,
  };
  const env = { API_KEY: apiKey };
  const [webhook] = (await runShell(setUp, { folder, env, addresses })).flat();
  const backend = await startProcess('bash', ['-c', start.replaceAll('3000', String(port))], {
    cwd: join(folder, 'face-check-web'),
    env: { ...env, API_URL: service.url, WEBHOOK_SECRET: webhook.data.secret, PORT: String(port) },
    ready: /listening on|started/,
  });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}`);
    await page.getByRole('button').click();
    await page.getByRole('link', { name: texts.return.action }).click();
    await page.waitForURL(/check-done/);
    const outcome = page.getByRole('status').filter({ hasNotText: 'One moment.' });
    return `${new URL(page.url()).pathname}: ${await outcome.textContent()}`;
  } finally {
    await context.close();
    await backend.kill();
    removeFolder(folder);
  }
}

test('the receiver of the guide for local webhooks prints the events of a session', async () => {
  const [port, { apiKey }] = await Promise.all([freePort(), service.createAccount({ mode: 'test' })]);
  const folder = temporaryFolder();
  const [register, download, print, create] = commandsOf('local-webhooks.mdx') as [
    string,
    string,
    string,
    string,
  ];
  const addresses = { '{siteUrl}': service.siteUrl, '127.0.0.1:3000': `127.0.0.1:${port}` };
  const env = { API_URL: service.url, API_KEY: apiKey };
  const run = async (...codes: string[]) => (await runShell(codes, { folder, env, addresses })).flat()[0];
  const { secret } = (await run(register, download)).data;
  const receiver = await startProcess('bash', ['-c', print.trim().replace('whsec_...', secret)], {
    cwd: folder,
    env: { PORT: String(port) },
    ready: 'listening on',
  });
  try {
    const { sessionId } = (await run(create)).data;
    await receiver.line(new RegExp(`^evt_\\w+ session.started ${sessionId}`));
    await receiver.line(new RegExp(`^evt_\\w+ session.completed ${sessionId} verified$`));
  } finally {
    await receiver.kill();
    removeFolder(folder);
  }
});

test('the receiver of the repository prints whether the signature of an event is valid', async () => {
  const [port, { apiKey }] = await Promise.all([freePort(), service.createAccount({ mode: 'test' })]);
  const commands = commandsOf('local-webhooks.mdx');
  const [register = '', create = ''] = commands.filter((code) => code.startsWith('curl -s "'));
  const listen = commands.find((code) => code.includes('webhooks listen')) ?? '';
  const addresses = { '127.0.0.1:3000': `127.0.0.1:${port}` };
  const env = { API_URL: service.url, API_KEY: apiKey };
  const run = async (code: string) => (await runShell([code], { folder: ROOT, env, addresses })).flat()[0];
  const { secret } = (await run(register)).data;
  const command = `${listen.trim().replace('whsec_...', secret)} --port ${port}`;
  const receiver = await startProcess('bash', ['-c', command], { cwd: ROOT, ready: 'listening on' });
  try {
    const { sessionId } = (await run(create)).data;
    await receiver.line(/^evt_\w+ {2}valid$/);
    await receiver.line(new RegExp(`"session.completed","sessionId":"${sessionId}"`));
  } finally {
    await receiver.kill();
  }
});
