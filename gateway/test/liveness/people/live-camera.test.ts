/** A real Chromium sees what a test shows to its camera, while it runs. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../../../web/test/chromium';
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
  browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', ...camera.chromiumArguments],
  });
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await browser?.close();
  server?.close();
  await camera?.close();
});

/** What runs in the page: the camera in a video, and a look at its picture. */
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
  // Frames of a camera differ by their noise at least.
  async function differentPictures(count) {
    const pictures = new Set();
    while (pictures.size < count) {
      await new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      look();
      pictures.add(canvas.toDataURL('image/png'));
    }
    return [canvas.width, canvas.height];
  }
</script>`;

/** Waits until the middle of the page's video has this colour, within what YUV keeps. */
const untilSeen = (colour: readonly number[]) =>
  page.waitForFunction(`middle().every((level, i) => i > 2 || Math.abs(level - [${colour}][i]) < 12)`, null, {
    polling: 50,
    timeout: 20_000,
  });

const plain = (colour: readonly number[]) => {
  const picture = blank(width, height);
  picture.data.forEach((_, i) => {
    picture.data[i] = colour[i % 3] as number;
  });
  return picture;
};

test('the page sees each picture that is shown, one after the other', async () => {
  await page.evaluate('start()');
  for (const colour of [
    [200, 30, 40],
    [20, 60, 220],
    [30, 180, 50],
  ]) {
    await camera.show(plain(colour));
    await untilSeen(colour);
  }
});

test('somebody who is filmed keeps the picture moving, and stops with it', async () => {
  const [person] = await loadPeople();
  if (!person) throw new Error('nobody was found');
  const performance = camera.film(await sitter(person, { camera: { width, height } }));
  performance.instruct('left');
  expect(await page.evaluate('differentPictures(10)')).toEqual([width, height]);
  await performance.stop();
});

test('a picture of another size is refused', async () => {
  await expect(camera.show(blank(64, 48))).rejects.toThrow(RangeError);
});
