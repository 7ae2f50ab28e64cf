/** The installed Chromium, driven by Playwright. */
import { launch } from '../../../web/test/chromium';
import type { Engine } from './engine';

export async function launchChromium(): Promise<Engine> {
  const browser = await launch();
  const page = await browser.newPage();
  return {
    version: `Chromium ${browser.version()}`,
    open: async (url) => void (await page.goto(url)),
    run: (source, argument = null) => page.evaluate(`(${source})(${JSON.stringify(argument)})`),
    close: () => browser.close(),
  };
}
