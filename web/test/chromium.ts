/** The installed Chromium. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';

/** @throws Error where none is on the PATH */
export function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = folders.map((folder) => join(folder, 'chromium')).find((file) => existsSync(file));
  if (!found) throw new Error('These tests need chromium on the PATH.');
  return found;
}

/** Launches Chromium with a camera that shows a test image. */
export function launch(extra: string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      // The only test machines that are sure to be there have no graphics processor.
      '--disable-gpu',
      ...extra,
    ],
  });
}

/** All requested addresses of a context. */
export function recordRequests(context: BrowserContext): string[] {
  const addresses: string[] = [];
  context.on('request', (request) => addresses.push(request.url()));
  return addresses;
}
