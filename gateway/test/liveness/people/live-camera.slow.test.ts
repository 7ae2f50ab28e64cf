/**
 * A real Chromium sees the images that a test shows to its camera.
 *
 * Slow: it renders a camera's stream in Chromium.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../../../web/test/chromium';
import { blank } from './image';
import { LiveCamera } from './live-camera';
import { loadPeople } from './people';
import { sitter } from './subject';

const width = 320;
const height = 240;

let camera: LiveCamera;
let server: Server;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  camera = await LiveCamera.open({ width, height });
  server = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(html));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  browser = await launchChromium(camera.chromiumArguments);
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  await camera?.close();
});

/** Runs in the page: shows the camera in a video and reads its image. */
const html = `<video></video><script>
  const video = document.querySelector('video');
  const canvas = document.createElement('canvas');
  async function start() {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
    await video.play();
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  }
  function look() {
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(video, 0, 0);
    return context;
  }
  const middle = () => [...look().getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data];
  // The frames of a camera differ at least by their noise.
  async function differentImages(count) {
    const images = new Set();
    while (images.size < count) {
      await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      look();
      images.add(canvas.toDataURL('image/png'));
    }
    return [canvas.width, canvas.height];
  }
</script>`;

/** Waits until the center of the video has this color, within the precision of YUV. */
const untilSeen = (color: readonly number[]) =>
  page.waitForFunction(`middle().every((level, i) => i > 2 || Math.abs(level - [${color}][i]) < 12)`, null, {
    polling: 50,
  });

const plain = (color: readonly number[]) => {
  const image = blank(width, height);
  image.data.forEach((_, i) => {
    image.data[i] = color[i % 3] as number;
  });
  return image;
};

test('the page sees each image in order', async () => {
  await page.evaluate('start()');
  for (const color of [
    [200, 30, 40],
    [20, 60, 220],
    [30, 180, 50],
  ]) {
    await camera.show(plain(color));
    await untilSeen(color);
  }
});

test('a still image is never the same twice', async () => {
  await camera.show(plain([90, 90, 90]));
  expect(await page.evaluate('differentImages(5)')).toEqual([width, height]);
});

test('filming a subject moves the image until it stops', async () => {
  const [person] = await loadPeople();
  if (!person) throw new Error('nobody was found');
  const performance = camera.film(await sitter(person, { camera: { width, height } }));
  performance.instruct('left');
  expect(await page.evaluate('differentImages(10)')).toEqual([width, height]);
  await performance.stop();
});

test('rejects an image of another size', async () => {
  await expect(camera.show(blank(64, 48))).rejects.toThrow(RangeError);
});
