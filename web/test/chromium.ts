/** The installed Chromium. */
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from '../../gateway/harness/index.mjs';

/**
 * Each window would start two processes for suggestions in the address bar, which take up to a third of the CPU time of a
 * test. Chromium obeys only the last such argument, so this list repeats the features that Playwright disables.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

/** Ends a hang: on a machine under load, an action of less than a second may take many. */
const HANG_MS = 180_000;

export async function launchChromium(args: readonly string[]): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', `--disable-features=${DISABLED_FEATURES.join()}`, ...args],
    timeout: HANG_MS,
  });
  const newContext = browser.newContext.bind(browser);
  // `newPage` of a browser calls it as well.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(HANG_MS);
    return context;
  };
  return browser;
}

/** Launches Chromium with a camera that shows a test image. */
export const launch = (extra: readonly string[] = []): Promise<Browser> =>
  launchChromium([
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    // The only test machines that are sure to be there have no graphics processor.
    '--disable-gpu',
    ...extra,
  ]);

/** All requested addresses of a context. */
export function recordRequests(context: BrowserContext): string[] {
  const addresses: string[] = [];
  context.on('request', (request) => addresses.push(request.url()));
  return addresses;
}
