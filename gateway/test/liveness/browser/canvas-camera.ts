/**
 * An attacker's camera: a script on the real page replaces `getUserMedia` by the stream of a canvas, which shows a subject
 * that follows the page's instructions and colors. The page signs the frames as those of any camera.
 */
import type { Page } from 'playwright-core';
import { jpegOf, type Rgb } from '../people/image';
import { film, type Performance } from '../people/live-camera';
import type { Subject } from '../people/subject';

const size = { width: 640, height: 480 } as const;

/**
 * Runs in the page before its own scripts. It draws the last frame again and again, moved by parts of a pixel, because a
 * camera never repeats an image, and adds the color of the page to the face in the middle.
 */
const script = `
  const { width, height } = ${JSON.stringify(size)};
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d');
  const shownColor = () =>
    document.querySelector('presenza-liveness')?.style.getPropertyValue('--presenza-paper') ?? '';
  let frame;
  const draw = () => {
    if (!frame) return;
    context.globalCompositeOperation = 'source-over';
    context.drawImage(frame, Math.random() - 0.5, Math.random() - 0.5);
    const color = shownColor();
    if (!/^#[0-9a-f]{6}$/.test(color)) return;
    const light = context.createRadialGradient(width / 2, 0.46 * height, 0, width / 2, 0.46 * height, 0.34 * height);
    light.addColorStop(0, color + '1c');
    light.addColorStop(0.7, color + '1c');
    light.addColorStop(1, color + '00');
    context.globalCompositeOperation = 'lighter';
    context.fillStyle = light;
    context.fillRect(0, 0, width, height);
  };
  setInterval(draw, 33);
  window.showFrame = async (jpeg) => {
    const bytes = Uint8Array.from(atob(jpeg), (character) => character.charCodeAt(0));
    frame = await createImageBitmap(new Blob([bytes]));
  };
  navigator.mediaDevices.getUserMedia = async () => {
    const stream = canvas.captureStream(30);
    const [track] = stream.getVideoTracks();
    Object.defineProperty(track, 'label', { value: 'Integrated Camera' });
    track.getSettings = () => ({ width, height, frameRate: 30 });
    return stream;
  };
`;

/** Puts a canvas in the place of the page's camera. Call it before the page opens. */
export async function replaceCamera(page: Page): Promise<void> {
  await page.addInitScript(script);
}

/** Shows a subject on the canvas until `stop`. @param frameRate images per second */
export const playOnCanvas = (page: Page, subject: Subject, frameRate: number): Performance =>
  film(subject, frameRate, (frame) => show(page, frame));

async function show(page: Page, frame: Rgb): Promise<void> {
  const jpeg = (await jpegOf(frame, 95)).toString('base64');
  await page.evaluate(`showFrame(${JSON.stringify(jpeg)})`);
}
