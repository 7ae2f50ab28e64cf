// `npm run screens`: takes the screenshots of the site again, from the service itself. It signs a user up, sends a photo
// through the console's playground, and opens two liveness sessions on the hosted page. Build first; commit the result.
// screens.json has the values that the playground shows, which a test compares with those of the same photo elsewhere.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { refuseArguments } from '../gateway/harness/cli/arguments.mjs';
import { runMain } from '../gateway/harness/cli/stop.mjs';
import { findChromium, signUp, withService } from '../gateway/harness/index.mjs';

const WEB = fileURLToPath(new URL('./', import.meta.url));
const CONTENT = join(WEB, 'content');
const OUTPUT = join(CONTENT, 'screens');
const VALUES = join(WEB, 'screens.json');
const PHOTO = join(WEB, 'gatsby/demos/images/hopper-photo.webp');
/** Text stays readable where the site shows a screen at half its size. */
const DESKTOP = { viewport: { width: 1280, height: 1200 }, deviceScaleFactor: 1.25 };
const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 1.4 };
const COLOR_SCHEMES = /** @type {const} */ (['light', 'dark']);

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../gateway/harness/service.mjs').Service} Service */
/** The screenshot shows this part of the page, or the whole window. @typedef {import('playwright-core').Locator | void} Shown */

runMain(async () => {
  refuseArguments('npm run screens');
  await mkdir(OUTPUT, { recursive: true });
  await withService({ site: true, gatewayEnv: { CONSOLE: 'on' } }, async (service) => {
    const browser = await chromium.launch({
      executablePath: findChromium(),
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const storageState = await signIn(await browser.newContext(), service);
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
 * Signs a user up, and refuses the cookies of the banner.
 * @param {import('playwright-core').BrowserContext} context
 * @param {Service} service
 */
async function signIn(context, service) {
  const { necessaryOnly } = await readTexts('consent.json');
  await signUp(service, 'ana@example.com', context.request);
  const page = await context.newPage();
  await page.goto(service.siteUrl);
  await page.getByRole('button', { name: necessaryOnly }).click();
  return context.storageState();
}

/** Shows the result for the photo. @param {Page} page @param {Service} service */
async function runPlayground(page, { siteUrl }) {
  const { texts } = await readTexts('console/playground.json');
  await page.goto(`${siteUrl}/console/playground`);
  const input = page.getByRole('group', { name: texts.image.image, exact: true });
  await input.locator('input[type=file]').setInputFiles(PHOTO);
  await input.getByText(/× [\d,]+ pixels/).waitFor();
  await page.getByRole('checkbox', { name: texts.options.gender, exact: true }).uncheck();
  await page.getByRole('button', { name: texts.run, exact: true }).click();
  const image = page.getByRole('img', { name: texts.result.image });
  await image.waitFor();
  const values = await page
    .locator('dl')
    .filter({ hasText: texts.detect.confidence })
    .locator('div')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));
  await writeFile(VALUES, `${JSON.stringify({ playground: Object.fromEntries(values) }, null, 2)}\n`);
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

/** @param {string} file @returns {Promise<any>} */
const readTexts = async (file) => JSON.parse(await readFile(join(CONTENT, file), 'utf8'));
