/** The camera of a tab on the verification page. */
import type { Page } from 'playwright-core';

/** Makes getUserMedia fail until the page calls `heal`. */
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
