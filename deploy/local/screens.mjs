// `npm run screens`: takes the screenshots of the site again, from the service itself. It signs a user up, sends a photo
// through the console's playground, and opens two liveness sessions on the hosted page. Build first; commit the result.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import consentWords from '../../web/content/consent.json' with { type: 'json' };
import playgroundWords from '../../web/content/console/playground.json' with { type: 'json' };
import { runMain } from './cli/stop.mjs';
import { withService } from './harness/index.mjs';

const WEB = fileURLToPath(new URL('../../web/', import.meta.url));
const OUTPUT = join(WEB, 'content/screens');
const PHOTO = join(WEB, 'gatsby/demos/images/hopper-photo.webp');
/** Text stays readable where the site shows a screen at half its size. */
const DESKTOP = { viewport: { width: 1280, height: 1200 }, deviceScaleFactor: 1.25 };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.4 };
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';
const COLOR_SCHEMES = /** @type {const} */ (['light', 'dark']);

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./harness/service.mjs').Service} Service */
/** The screenshot shows this part of the page, or the whole window. @typedef {import('playwright-core').Locator | void} Shown */

runMain(async () => {
  await mkdir(OUTPUT, { recursive: true });
  await withService({ site: true, gatewayEnv: { CONSOLE: 'on' } }, async (service) => {
    const browser = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const storageState = await signUp(await browser.newContext(), service);
      for (const colorScheme of COLOR_SCHEMES) {
        /** @param {string} name @param {import('playwright-core').BrowserContextOptions} options */
        const shoot = async (name, options, /** @type {(page: Page) => Promise<Shown>} */ show) => {
          const context = await browser.newContext({ ...options, colorScheme, reducedMotion: 'reduce' });
          const page = await context.newPage();
          const shown = await show(page);
          await page.evaluate('document.fonts.ready');
          const file = join(OUTPUT, `${name}-${colorScheme}.webp`);
          await sharp(await (shown ?? page).screenshot())
            .webp({ quality: 80 })
            .toFile(file);
          await context.close();
        };
        await shoot('playground', { ...DESKTOP, storageState }, (page) => runPlayground(page, service));
        await shoot('consent', PHONE, async (page) => {
          await page.goto(await createSession(service, 'live'));
          await page.getByRole('checkbox').waitFor();
        });
        await shoot('verified', PHONE, async (page) => {
          await page.goto(await createSession(service, 'test', { testOutcome: 'live' }));
          await page.locator('[data-name="ended.completed"]').waitFor();
        });
      }
    } finally {
      await browser.close();
    }
  });
  return 0;
});

/**
 * Signs a user up, with the link of the mailbox of operators, and refuses the cookies of the banner.
 * @param {import('playwright-core').BrowserContext} context
 * @param {Service} service
 */
async function signUp(context, { apiUrl, siteUrl, admin }) {
  const post = async (/** @type {string} */ path, /** @type {object} */ data) => {
    const reply = await context.request.post(`${apiUrl}/console/api${path}`, {
      data,
      headers: { origin: siteUrl },
    });
    if (!reply.ok()) throw new Error(`${path} responded with ${reply.status()}.`);
  };
  await post('/sign-up', { email: 'ana@example.com' });
  const { mails } = await admin('mails', 'list');
  const [, ticket] = /#(\w{43})/.exec(mails[0]?.text ?? '') ?? [];
  await post('/sign-up/confirm', { ticket, password: 'correct-horse battery 42 staple' });
  const page = await context.newPage();
  await page.goto(siteUrl);
  await page.getByRole('button', { name: consentWords.necessaryOnly }).click();
  return context.storageState();
}

/** Shows the result for the photo. @param {Page} page @param {Service} service */
async function runPlayground(page, { siteUrl }) {
  const { words } = playgroundWords;
  await page.goto(`${siteUrl}/console/playground`);
  const input = page.getByRole('group', { name: words.image.image, exact: true });
  await input.locator('input[type=file]').setInputFiles(PHOTO);
  await input.getByText(/× [\d,]+ pixels/).waitFor();
  await page.getByRole('checkbox', { name: words.options.gender, exact: true }).uncheck();
  await page.getByRole('button', { name: words.run, exact: true }).click();
  const image = page.getByRole('img', { name: words.result.image });
  await image.waitFor();
  return image.locator('xpath=ancestor::div[3]'); // with the values beside the image
}

/**
 * @param {Service} service
 * @param {'live' | 'test'} mode
 * @param {object} [request]
 * @returns {Promise<string>} the address of the hosted page
 */
async function createSession({ apiUrl, createAccount }, mode, request = {}) {
  const { apiKey } = await createAccount({ mode, name: 'Alder Bank' });
  const response = await fetch(`${apiUrl}/liveness`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`/liveness responded with ${response.status}.`);
  const { data } = /** @type {any} */ (await response.json());
  return data.verificationUrl;
}
