/** The set-up of all tests of the hosted page: Chromium, the site, and a scripted gateway. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type RunningSite, startSite } from '../../../gateway/harness/index.mjs';
import texts from '../../content/verify/en.json';
import { launch, recordRequests } from '../chromium';
import { ScriptedGateway, type ScriptedServer, startScriptedServer } from './scripted-gateway';

/** Shared by all tests of a file. */
let browser: Browser;
let server: ScriptedServer;
export let site: RunningSite;

/** Created for each test. */
let context: BrowserContext;
export let gateway: ScriptedGateway;
export let page: Page;
/** Addresses that the page requested. */
export let requests: string[];

/** Call it once per file. */
export function setUpStage() {
  beforeAll(async () => {
    [browser, server] = await Promise.all([launch(), startScriptedServer()]);
    site = await startSite({ API_URL: server.url });
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), site?.stop()]);
    await server?.stop();
  });
  beforeEach(async () => {
    gateway = new ScriptedGateway(server);
    await newContext();
  });
  afterEach(async () => {
    await context.close();
    expect(gateway.violations).toEqual([]);
  });
}

export async function newContext(options: BrowserContextOptions = {}) {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  requests = recordRequests(context);
  page = await context.newPage();
}

export const open = (link = gateway.link) => page.goto(`${site.url}/verify#${link}`);

/** Waits for the view with this message. */
export const sees = (name: string) => page.locator(`[data-name="${name}"]`).waitFor();

export const button = (name: string) => page.getByRole('button', { name, exact: true });

export async function consent() {
  await page.getByRole('checkbox').check();
  await button(texts.consent.action).click();
}

/** The element with the focus, inside the shadow tree. */
export const focused = () =>
  page.evaluate(() => {
    const element = document.activeElement?.shadowRoot?.activeElement;
    return { tag: element?.tagName, text: element?.textContent };
  });

export const headingOf = (name: string) => texts.messages.find((message) => message.name === name)?.heading;
