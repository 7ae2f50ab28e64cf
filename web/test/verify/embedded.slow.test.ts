/**
 * The verification element on a page of another origin, in Chromium.
 *
 * Slow: it embeds the component in several pages.
 */
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { codeWith } from '../../../gateway/test/code-blocks';
import type { PresenzaLiveness } from '../../component/src/element';
import texts from '../../content/verify/en.json';
import { launch } from '../chromium';
import { violations } from '../visit';
import { type EmbeddingPage, giveSession, reported, startEmbeddingPage } from './embedding-page';
import { ScriptedGateway, type ScriptedServer, startScriptedServer } from './scripted-gateway';

let browser: Browser;
let server: ScriptedServer;
let site: EmbeddingPage;
let context: BrowserContext;
let page: Page;
let gateway: ScriptedGateway;
/** Errors of the console, such as violations of the policy. */
let errors: string[];

beforeAll(async () => {
  [browser, server, site] = await Promise.all([launch(), startScriptedServer(), startEmbeddingPage()]);
  site.apiUrl = server.url;
});
afterAll(async () => {
  await Promise.all([browser?.close(), site?.stop()]);
  await server?.stop();
});
beforeEach(async () => {
  gateway = new ScriptedGateway(server);
  context = await browser.newContext({ viewport: { width: 390, height: 700 } });
  page = await context.newPage();
  errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
});
afterEach(async () => {
  await context.close();
  expect(gateway.violations).toEqual([]);
});

/** Arabic, from right to left. cspell:disable-next-line */
const LEAVE = 'مغادرة';

const element = () => page.locator('presenza-liveness');
const sees = (name: string) => page.locator(`[data-name="${name}"]`).waitFor();
const button = (name: string) => page.getByRole('button', { name, exact: true });

const give = () => giveSession(page, { apiUrl: gateway.url, accessToken: gateway.link });

async function open() {
  await page.goto(site.origin);
  await give();
}

async function capture() {
  gateway.stuck = true;
  await open();
  await page.getByRole('checkbox').check();
  await button(texts.consent.action).click();
  await gateway.called('frame', 2);
}

test('runs a session under a strict content security policy and reports its events without a score', async () => {
  await open();
  await page.getByRole('checkbox').check();
  await button(texts.consent.action).click();
  await sees('ended.completed');
  const steps = gateway.movements.map((movement, at) => [
    'step',
    { step: at + 1, steps: gateway.movements.length, movement },
  ]);
  expect(await reported(page)).toEqual([['ready', null], ...steps, ['end', { status: 'completed' }]]);
  expect(errors).toEqual([]);
  expect(await violations(page)).toEqual([]);
});

test('a return before a repeated turn is reported as a prompt of the same step', async () => {
  gateway.movements = ['centre', 'left', 'centre', 'left'];
  await open();
  await page.getByRole('checkbox').check();
  await button(texts.consent.action).click();
  await sees('ended.completed');
  const steps = (await reported(page)).flatMap(([name, detail]) => (name === 'step' ? [detail] : []));
  expect(steps).toEqual([
    { step: 1, steps: 3, movement: 'centre' },
    { step: 2, steps: 3, movement: 'left' },
    { step: 3, steps: 3, movement: 'centre' },
    { step: 3, steps: 3, movement: 'left' },
  ]);
});

test('the sample of the web guide runs a session and leads to its result', async () => {
  const guide = join(__dirname, '../../content/docs/web/api-integration.mdx');
  const html = codeWith(guide, '<presenza-liveness').replace(/api-url=".*?"/, `api-url="${gateway.url}"`);
  // A bundler would resolve the name of the package.
  const script = codeWith(guide, 'presenza-end').replace("'@presenza/liveness'", "'/index.js'");
  site.files['/checkout'] = ['text/html', `<!doctype html>${html}`];
  site.files['/check.js'] = ['text/javascript', script];
  site.files['/checks'] = ['application/json', JSON.stringify({ accessToken: gateway.link })];
  site.files['/result'] = ['text/html', '<!doctype html><h1>Done</h1>'];
  await page.goto(`${site.origin}/checkout`);
  await page.getByRole('checkbox').check();
  await button(texts.consent.action).click();
  await page.waitForURL(`${site.origin}/result?status=completed`);
  expect(errors).toEqual([]);
});

test('checkbox and button are visible without scrolling on a small phone', async () => {
  await open();
  await sees('consent');
  const boxes = [page.getByRole('checkbox'), button(texts.consent.action)].map((part) => part.boundingBox());
  for (const box of await Promise.all(boxes)) {
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(700);
  }
});

test('a removed element turns the camera off and notifies the gateway', async () => {
  await capture();
  const states = await element().evaluate(({ shadowRoot, parentNode }) => {
    const stream = shadowRoot?.querySelector('video')?.srcObject as MediaStream;
    parentNode?.removeChild(parentNode.querySelector('presenza-liveness') as Node);
    return stream.getTracks().map(({ readyState }) => readyState);
  });
  expect(states).toEqual(['ended']);
  await gateway.called('leave');
});

test('the access token does not stay in the markup, and another token starts another session', async () => {
  await open();
  await sees('consent');
  const next = new ScriptedGateway(server);
  next.branding = { name: 'Example Bank' };
  gateway = next;
  await element().evaluate((host, token) => host.setAttribute('access-token', token), next.link);
  await page.getByText('Example Bank asks you to complete this check.').waitFor();
  expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(next.sessionId);
});

test('a field of the page keeps the focus', async () => {
  await page.goto(site.origin);
  await page.locator('#name').focus();
  await give();
  await sees('consent');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('name');
});

test('the focus stays in the element when its texts change', async () => {
  await open();
  await page.getByRole('checkbox').focus();
  await element().evaluate((host: PresenzaLiveness, texts) => {
    host.words = { ...texts, leave: 'Quit' };
  }, texts);
  await button('Quit').waitFor();
  const focused = () => element().evaluate(({ shadowRoot }) => shadowRoot?.activeElement?.tagName);
  expect(await focused()).toBe('H1');
});

test('a malformed access token is reported', async () => {
  await page.goto(site.origin);
  await giveSession(page, { apiUrl: gateway.url, accessToken: 'broken' });
  await sees('blocked.linkInvalid');
  expect(await reported(page)).toEqual([['blocked', { reason: 'linkInvalid' }]]);
});

test.each(['/', '/v1', '/v1/'])('an API address that ends with %s works', async (end) => {
  await page.goto(site.origin);
  const start = page.waitForRequest(/\/start$/);
  await giveSession(page, { apiUrl: gateway.url + end, accessToken: gateway.link });
  expect((await start).url()).toBe(`${gateway.url}/v1/liveness/${gateway.sessionId}/start`);
  await sees('consent');
});

test('an API address that is none is reported, and its developer learns why', async () => {
  await page.goto(site.origin);
  await giveSession(page, { apiUrl: 'api.example.com', accessToken: gateway.link });
  await sees('blocked.unknown');
  expect(await reported(page)).toEqual([['blocked', { reason: 'unknown' }]]);
  expect(errors).toEqual([expect.stringContaining('api-url')]);
});

test('the developer of a page without the API address learns that it is missing', async () => {
  await page.goto(site.origin);
  const message = page.waitForEvent('console');
  await element().evaluate((host: PresenzaLiveness, token) => {
    host.accessToken = token;
  }, gateway.link);
  expect((await message).text()).toContain('api-url');
  expect(errors.join('')).not.toContain(gateway.link);
});

test('a page of an origin that is not allowed does not claim to be offline, and its developer learns why', async () => {
  gateway.script('start', { refuse: 'PERMISSION_DENIED', reason: 'origin' });
  await open();
  await sees('blocked.originNotAllowed');
  expect(await reported(page)).toEqual([['blocked', { reason: 'originNotAllowed' }]]);
  expect(errors.filter((text) => text.includes(site.origin))).toEqual([
    expect.stringContaining('accounts update --origins'),
  ]);
  for (const secret of [gateway.link, gateway.sessionId]) expect(errors.join('')).not.toContain(secret);
  expect(gateway.count('start')).toBe(1);
});

test('a browser without constructable style sheets loads the style sheet', async () => {
  await page.addInitScript(() => delete (CSSStyleSheet.prototype as { replaceSync?: unknown }).replaceSync);
  await open();
  await page.waitForFunction(() => {
    const part = document.querySelector('presenza-liveness')?.shadowRoot?.querySelector('.header');
    return part && getComputedStyle(part).display === 'flex';
  });
  expect(errors).toEqual([]);
});

test('texts of the page replace those of the package, also from right to left', async () => {
  await page.goto(site.origin);
  const mirrored = { ...texts, locale: 'ar', direction: 'rtl', leave: LEAVE };
  await element().evaluate((host: PresenzaLiveness, texts) => {
    host.words = texts;
  }, mirrored);
  await give();
  const leave = button(LEAVE);
  await leave.waitFor();
  expect((await leave.boundingBox())?.x).toBeLessThan(50);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
