/**
 * The page at which operators read the console's mails, in Chromium.
 *
 * Slow: the operator's mailbox is read in Chromium.
 */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { launch } from '../../../web/test/chromium';
import { identityVault } from '../../src/services/identity/identity-vault';
import { RedisMailbox } from '../../src/stores/identity/redis-mailbox';
import { keySecret } from '../services';
import { adminToken, TestGateway } from '../test-gateway';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let gateway: TestGateway;
let browser: Browser;
let page: Page;
let mailbox: RedisMailbox;
const problems: string[] = [];

beforeAll(async () => {
  [gateway, browser] = await Promise.all([TestGateway.start(), launch()]);
  mailbox = new RedisMailbox(gateway.redis, identityVault(keySecret), keySecret);
});
afterAll(() => Promise.all([gateway.stop(), browser.close()]));
beforeEach(async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce', bypassCSP: false });
  page = await context.newPage();
  // The tests expect no problem but the refusal of a wrong token.
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
});
afterEach(() => page.context().close());

const open = (fragment = '') => page.goto(`${gateway.adminUrl}/mailbox${fragment}`);
const status = () => page.getByRole('status');
const wait = (text: string) => status().filter({ hasText: text }).waitFor();

/** Runs axe outside the page's policy. */
const violations = async () => {
  const { violations } = (await page.evaluate(`${axe};axe.run()`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
};

test('asks for the token, and again if it is wrong', async () => {
  const response = await open();
  expect(response?.headers()).toMatchObject({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  });
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/^default-src 'none';script-src 'sha256-[^']+';style-src 'sha256-[^']+';/);
  const field = page.getByLabel('Admin token');
  await field.fill('ab'.repeat(31));
  await page.getByRole('button', { name: 'Show mails' }).click();
  await wait('This token is not valid.');
  expect(await violations()).toEqual([]);
  await field.fill(adminToken);
  await page.keyboard.press('Enter');
  await wait('No mails yet.');
  expect(await field.isVisible()).toBe(false);
  expect(problems.filter((text) => !text.includes('401'))).toEqual([]);
});

test('takes the token from the address, and shows new mails by itself with links', async () => {
  await open(`#${adminToken}`);
  await wait('No mails yet.');
  expect(page.url()).toBe(`${gateway.adminUrl}/mailbox`);
  const link = 'https://console.example/console/join#TICKET_1';
  const mail = { to: 'a@example.com', subject: 'Your <b>invitation</b>', at: Date.now() };
  await mailbox.keep({ ...mail, text: `Open this link:\n\n${link}\n\n<img src=x onerror=alert(1)>\n` });
  await wait('One mail, newest first.');
  const [item] = await page.getByRole('listitem').allInnerTexts();
  for (const text of [mail.to, mail.subject, link, '<img src=x onerror=alert(1)>'])
    expect(item).toContain(text);
  const anchor = page.getByRole('link', { name: link });
  expect(await anchor.getAttribute('href')).toBe(link);
  expect(await anchor.getAttribute('rel')).toBe('noopener noreferrer');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await violations()).toEqual([]);
  }

  await page.reload();
  await wait('One mail, newest first.');
  const recipient = page.getByLabel('Recipient');
  await recipient.fill('nobody@example.com');
  await page.keyboard.press('Enter');
  await wait('No mails to this address.');
  await recipient.fill(mail.to);
  await page.keyboard.press('Enter');
  await wait('One mail, newest first.');
  // The audit log records each look at the mails, and no further one while nothing changes.
  const looks = async () =>
    (await gateway.services.management.audit.list({ limit: 100 })).items.filter(
      ({ operation }) => operation === 'mails list',
    ).length;
  const before = await looks();
  const polls = page.waitForResponse(/mails\/count/).then(() => page.waitForResponse(/mails\/count/));
  await polls;
  expect(await looks()).toBe(before);
});
