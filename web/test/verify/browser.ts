/** Chromium with a camera that shows a test picture, and a tab of it on the verification page. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findChromium } from '../chromium';

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

/** Every address that a context asked for. */
export function recordRequests(context: BrowserContext): string[] {
  const addresses: string[] = [];
  context.on('request', (request) => addresses.push(request.url()));
  return addresses;
}

/** Makes getUserMedia fail as a browser would, until `heal` is called in the page. */
export const failCamera = (page: Page, failure: { name: string; message: string }) =>
  page.addInitScript(({ name, message }) => {
    const { mediaDevices } = navigator;
    const real = mediaDevices.getUserMedia.bind(mediaDevices);
    mediaDevices.getUserMedia = () => Promise.reject(new DOMException(message, name));
    Object.assign(window, {
      heal: () => {
        mediaDevices.getUserMedia = real;
      },
    });
  }, failure);
