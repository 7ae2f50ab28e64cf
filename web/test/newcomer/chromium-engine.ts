/** Chromium with the few functions that the tests use in every browser. */
import type { Engine } from '../../../gateway/test/liveness/browsers/engine';
import { launch } from '../chromium';
import { startVisit } from '../visit';

export async function launchChromiumEngine(): Promise<Engine> {
  const browser = await launch();
  const { page } = await startVisit(browser);
  return {
    version: `Chromium ${browser.version()}`,
    open: async (url) => void (await page.goto(url)),
    run: (source, argument = null) => page.evaluate(`(${source})(${JSON.stringify(argument)})`),
    close: () => browser.close(),
  };
}
