/** The installed Chromium. */
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from '../../deploy/local/harness/index.mjs';

/**
 * Each window would start two processes for suggestions in the address bar, which take up to a third of the CPU time of a
 * test. Chromium obeys only the last such argument, so this list repeats the features that Playwright disables.
 */
const DISABLED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

export const launchChromium = (args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', `--disable-features=${DISABLED_FEATURES.join()}`, ...args],
  });

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
