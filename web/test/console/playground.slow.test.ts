/**
 * The playground on the whole service: real photos, real models, and results drawn where the faces are.
 *
 * Slow: it analyzes images in a browser with the whole service.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import playgroundTexts from '../../content/console/playground.json';
import requestTexts from '../../content/console/requests.json';
import { fill } from '../../src/fill';
import { PHONE } from '../visit';
import { expectAccessible, Person, poll, service, setUpStage } from './stage';

const { texts } = playgroundTexts;
const folder = dirname(require.resolve('@vladmandic/face-api/demo/sample1.jpg'));
const photo = join(folder, 'sample1.jpg');

setUpStage();

let owner: Person;
beforeEach(async () => {
  owner = await Person.signUp(`owner-${performance.now()}@example.com`);
  await owner.open('/playground');
});
afterEach(async () => {
  expect(owner.errors).toEqual([]);
  await owner.leave();
});

const choose = (name: string) => owner.page.getByRole('radio', { name, exact: true }).check();
const inputOf = (label: string) => owner.page.getByRole('group', { name: label, exact: true });
const sample = (name: string) =>
  texts.samples.find((candidate) => candidate.name === name)?.label ?? 'no sample of this name';

async function takeSample(input: Locator, name: string) {
  await input.getByRole('button', { name: sample(name), exact: true }).click();
  await input.getByText(new RegExp(`^${name}[-.]`)).waitFor();
}

const chooseBytes = (input: Locator, name: string, buffer: Buffer) =>
  input.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer });

async function chooseFile(input: Locator, file: string) {
  await input.locator('input[type=file]').setInputFiles(file);
  await input.getByText(/× [\d,]+ pixels/).waitFor();
}

async function makeKey(mode: 'test' | 'live'): Promise<string> {
  const { apiKey } = await owner.call('POST', owner.path('/keys'), { name: `Key for ${mode}`, mode });
  return apiKey;
}

/** The response as the page shows it. */
async function shownResponse() {
  await owner.page.getByText(texts.result.json).click();
  return JSON.parse((await owner.page.locator('details pre').textContent()) ?? '');
}

const quota = async (mode = 'live'): Promise<{ used: number; remaining: number }> => {
  const { productGroups } = await owner.call('GET', owner.path(`/usage?mode=${mode}`));
  return productGroups.imageAnalysis;
};
const usedUnits = async (mode: string): Promise<number> => (await quota(mode)).used;

/** Custom terms in place of those of the plan. */
const setTerms = (terms: object) =>
  service.admin('accounts', 'update', '--account', owner.accountId, '--overrides', JSON.stringify(terms));

test('opens the operation that the API reference links to', async () => {
  await owner.open('/playground?operation=compare');
  const { compare } = texts.operation;
  await owner.page.getByRole('radio', { name: compare, exact: true, checked: true }).waitFor();
});

test('draws the faces of a photo where they are, free in test mode and billed in live mode', async () => {
  const { page, button } = owner;
  await button(texts.run).click();
  await page.getByRole('alert').filter({ hasText: texts.missing }).waitFor();
  await owner.sees(texts.price.test);
  await chooseFile(inputOf(texts.image.image), photo);
  await expectAccessible(page);
  await button(texts.run).click();
  await owner.sees(fill(texts.detect.many, { count: 3 }));
  await expectAccessible(page);

  const { faces } = await shownResponse();
  const image = page.getByRole('img', { name: texts.result.image });
  const drawn = await image.evaluate((element) => {
    const frame = element.getBoundingClientRect();
    return [...(element.parentElement?.querySelectorAll('svg g') ?? [])].map((group) => {
      const box = group.querySelector('rect')?.getBoundingClientRect() ?? frame;
      const inside = [...group.querySelectorAll('circle')].map((circle) => circle.getBoundingClientRect());
      return {
        left: (box.left - frame.left) / frame.width,
        top: (box.top - frame.top) / frame.height,
        width: box.width / frame.width,
        height: box.height / frame.height,
        landmarks: inside.map(({ x, y, width, height }) => ({
          x: (x + width / 2 - frame.left) / frame.width,
          y: (y + height / 2 - frame.top) / frame.height,
        })),
      };
    });
  });
  expect(drawn).toHaveLength(3);
  for (const [index, { boundingBox, attributes }] of faces.entries()) {
    for (const side of ['left', 'top', 'width', 'height'] as const) {
      expect(Math.abs((drawn[index]?.[side] ?? 0) - boundingBox[side])).toBeLessThan(0.01);
    }
    expect(drawn[index]?.landmarks).toHaveLength(attributes.landmarks.length);
    for (const [place, { x, y }] of attributes.landmarks.entries()) {
      expect(Math.abs((drawn[index]?.landmarks[place]?.x ?? 0) - x)).toBeLessThan(0.01);
      expect(Math.abs((drawn[index]?.landmarks[place]?.y ?? 0) - y)).toBeLessThan(0.01);
    }
  }
  await page.getByRole('radio', { name: fill(texts.detect.face, { number: 2 }) }).check();
  await page.getByRole('checkbox', { name: texts.detect.landmarks }).last().uncheck();
  expect(await page.locator('main svg circle').count()).toBe(0);
  expect([await usedUnits('test'), await usedUnits('live')]).toEqual([1, 0]);

  await choose(texts.mode.live);
  await owner.sees(texts.mode.liveNote);
  const { remaining } = await quota();
  await owner.sees(fill(texts.price.quota, { remaining }));
  await button(texts.runLive).click();
  await page.getByText(texts.result.live, { exact: true }).waitFor();
  expect([await usedUnits('test'), await usedUnits('live')]).toEqual([1, 1]);
  await owner.sees(fill(texts.price.quota, { remaining: remaining - 1 }));
  await expectAccessible(page);
});

test('says before a live run what it costs above the quota', async () => {
  const { page, button } = owner;
  await setTerms({ quota: { imageAnalysis: 1 } });
  await takeSample(inputOf(texts.image.image), 'ada-3');
  await choose(texts.mode.live);
  await owner.sees(fill(texts.price.quota, { remaining: 1 }));
  await button(texts.runLive).click();
  await page.getByRole('region', { name: texts.result.title }).waitFor();
  // The plan of a new account has a hard limit.
  await owner.sees(texts.price.hardLimit);
  await service.admin('accounts', 'update', '--account', owner.accountId, '--plan', 'growth');
  await setTerms({ quota: { imageAnalysis: 1 }, overage: { livenessDetection: 0.2, imageAnalysis: 0.05 } });
  await owner.open('/playground');
  await choose(texts.mode.live);
  await owner.sees(fill(texts.price.overage, { cost: '$0.05' }));
});

test('brings the result into view, with the focus on it', async () => {
  const { page, button } = owner;
  await page.setViewportSize(PHONE);
  await takeSample(inputOf(texts.image.image), 'group');
  await button(texts.run).click();
  const result = page.getByRole('region', { name: texts.result.title });
  await result.waitFor();
  await page.locator(':focus').and(result).waitFor();
  const { top, height } = await result.evaluate((element) => ({
    top: element.getBoundingClientRect().top,
    height: window.innerHeight,
  }));
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(height / 2);
});

test('keeps all choices after a request that fails', async () => {
  const { page, button } = owner;
  await choose(texts.operation.moderate);
  await takeSample(inputOf(texts.image.image), 'apple');
  await page.getByRole('checkbox', { name: texts.options.Violence }).uncheck();
  await page.route('**/playground/**/moderate', (route) => route.abort());
  await button(texts.run).click();
  await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
  await page.unroute('**/playground/**/moderate');
  await inputOf(texts.image.image)
    .getByText(/^apple[-.]/)
    .waitFor();
  expect(await page.getByRole('checkbox', { name: texts.options.Violence }).isChecked()).toBe(false);
  expect(await page.getByRole('radio', { name: texts.operation.moderate, exact: true }).isChecked()).toBe(
    true,
  );
  await button(texts.run).click();
  await owner.sees(/^No category reaches/);
});

test('clears an image whose file cannot be read, so that nobody pays for the earlier one', async () => {
  const { page, button } = owner;
  const input = inputOf(texts.image.image);
  await chooseFile(input, photo);
  await chooseBytes(input, 'notes.txt', Buffer.from('no image'));
  await input.getByRole('alert').filter({ hasText: 'notes.txt cannot be read' }).waitFor();
  await input.getByText(texts.image.empty).waitFor();
  await choose(texts.mode.live);
  await button(texts.runLive).click();
  await page.getByRole('alert').filter({ hasText: texts.missing }).waitFor();
  expect(await usedUnits('live')).toBe(0);
});

test('drops the result of a call if the person chooses another operation while it runs', async () => {
  const { page, button } = owner;
  await takeSample(inputOf(texts.image.image), 'hopper-photo');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/playground/**/detect', async (route) => {
    await held;
    await route.continue();
  });
  const sent = page.waitForRequest(/\/detect$/);
  await button(texts.run).click();
  await sent;
  await choose(texts.operation.moderate);
  expect(await button(texts.run).getAttribute('aria-busy')).toBe('true');
  const response = page.waitForResponse(/\/detect$/);
  release();
  await (await response).finished();
  await page.locator('button[aria-busy]').waitFor({ state: 'detached' });
  expect(await page.getByRole('heading', { name: texts.result.title }).count()).toBe(0);
  await button(texts.run).click();
  await page.getByRole('heading', { name: texts.result.title }).waitFor();
});

test('shows a curl command that works where it is pasted, with a key in the environment', async () => {
  const { page } = owner;
  await chooseFile(inputOf(texts.image.image), photo);
  const code = page.getByRole('tabpanel').locator('pre');
  const command = (await code.textContent()) ?? '';
  const env = { ...process.env, API_KEY: await makeKey('test') };
  expect(command).not.toContain(env.API_KEY);
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { cwd: folder, env });
  expect(JSON.parse(stdout)).toMatchObject({ success: true, data: { faceCount: 3 } });

  await page.getByRole('tab', { name: 'curl' }).press('ArrowRight');
  await expectText(code, "from 'presenza'");
  await page.getByRole('tab', { name: 'Node.js' }).press('ArrowLeft');
  await page.getByRole('tab', { name: 'curl' }).press('ArrowLeft');
  await expectText(code, 'public class Example');
});

async function expectText(locator: Locator, text: string) {
  await locator.filter({ hasText: text }).waitFor();
}

test('draws a line from the source face to each face that matches', async () => {
  const { page, button } = owner;
  await choose(texts.operation.compare);
  await chooseFile(inputOf(texts.image.sourceImage), photo);
  await chooseFile(inputOf(texts.image.targetImage), photo);
  await button(texts.run).click();
  const values = { count: 1, faces: 3, threshold: '0.80' };
  const summary = fill(texts.compare.match, values);
  await owner.sees(summary);
  const { sourceImageFace, matchedFaces } = await shownResponse();
  const line = page.locator('svg [data-match] path');
  const [fromX, fromY, toX, toY] = ((await line.getAttribute('d')) ?? '').match(/[\d.]+/g)?.map(Number) ?? [];
  const view = (await page.getByRole('img', { name: summary }).getAttribute('viewBox')) ?? '';
  const [, , width = 0, height = 0] = view.split(' ').map(Number);
  // Both images are as wide as the photo at the height of the drawing.
  const wide = (height * 1920) / 1280;
  const source = sourceImageFace.boundingBox;
  const target = matchedFaces[0].boundingBox;
  expect(fromX).toBeCloseTo((source.left + source.width) * wide, 0);
  expect(fromY).toBeCloseTo((source.top + source.height / 2) * height, 0);
  expect(toX).toBeCloseTo(width - wide + target.left * wide, 0);
  expect(toY).toBeCloseTo((target.top + target.height / 2) * height, 0);
  expect(await page.locator('svg [data-unmatched]').count()).toBe(2);
  const rows = page.getByRole('region', { name: texts.compare.faces }).locator('tbody tr');
  expect(await rows.count()).toBe(4);

  await takeSample(inputOf(texts.image.sourceImage), 'hopper-photo');
  await takeSample(inputOf(texts.image.targetImage), 'hopper-document');
  await button(texts.run).click();
  await owner.sees(fill(texts.compare.match, { count: 1, faces: 1, threshold: '0.80' }));
  expect(await page.locator('svg [data-match] text').textContent()).toMatch(/^1: 0\.9\d$/);
  await expectAccessible(page);
  await takeSample(inputOf(texts.image.targetImage), 'ada-3');
  await button(texts.run).click();
  await owner.sees(fill(texts.compare.noMatch, { faces: 1, threshold: '0.80' }));
});

test('blurs an image with sensitive content until the person asks for it', async () => {
  const { page, button } = owner;
  await choose(texts.operation.moderate);
  await takeSample(inputOf(texts.image.image), 'scissors');
  await button(texts.run).click();
  await owner.sees(/^Image blurred\. Violence: Scissors/);
  await expectAccessible(page);
  await button(texts.moderate.show).click();
  await page.getByRole('img', { name: texts.moderate.text }).waitFor();
  await page.locator('button:focus', { hasText: texts.moderate.hide }).waitFor();
  await takeSample(inputOf(texts.image.image), 'apple');
  await button(texts.run).click();
  await owner.sees(/^No category reaches/);
});

test('takes images from the camera and from another window, and refuses files that the API does not take', async () => {
  const { page, button } = owner;
  const input = inputOf(texts.image.image);
  await button(texts.image.camera).click();
  await expectAccessible(page);
  await button(texts.camera.action).click();
  await input.getByText(/^camera\.jpg/).waitFor();
  const bytes = readFileSync(photo).toString('base64');
  const dropped = await page.evaluateHandle((base64) => {
    const data = new DataTransfer();
    const file = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    // Some systems do not know the type of a file.
    data.items.add(new File([file], 'dropped photo.jpg'));
    return data;
  }, bytes);
  await input.dispatchEvent('drop', { dataTransfer: dropped });
  await input.getByText(/^dropped photo\.jpg, 1,920 × 1,280/).waitFor();
  await button(texts.run).click();
  await owner.sees(fill(texts.detect.many, { count: 3 }));
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no image') };
  await input.locator('input[type=file]').setInputFiles(text);
  const alert = input.getByRole('alert');
  await alert.filter({ hasText: 'notes.txt cannot be read' }).waitFor();
  // Sharp reads bytes here, because other tests of the process may have kept it from opening files.
  const gif = await sharp(readFileSync(photo)).resize(320).gif({ effort: 1 }).toBuffer();
  await chooseBytes(input, 'small.gif', gif);
  await input.getByText(/^small\.gif, 320 × 213/).waitFor();
  // Chromium does not show HEIC.
  await chooseBytes(
    input,
    'phone.heic',
    readFileSync(join(__dirname, '../../../inference/test/corpus/portrait.heic')),
  );
  await alert.filter({ hasText: 'cannot display phone.heic' }).waitFor();
});

test('explains errors of the API, and lists its requests in the log', async () => {
  const { page, button } = owner;
  await choose(texts.operation.compare);
  await chooseFile(inputOf(texts.image.sourceImage), join(__dirname, '../../gatsby/demos/images/apple.webp'));
  await takeSample(inputOf(texts.image.targetImage), 'ada-3');
  await button(texts.run).click();
  const help = page.getByRole('link', { name: texts.errorHelp });
  expect(await help.getAttribute('href')).toBe('/docs/api-reference/errors#no-face-detected');
  const path = owner.path('/requests');
  await poll('the log has a request', async () => (await owner.call('GET', path)).requests.length > 0);
  await owner.open('/requests');
  const row = page.getByRole('row').filter({ hasText: '/compare' });
  await row.getByText(`${requestTexts.texts.playground} (test)`).waitFor();
  await row.getByRole('link').click();
  const panel = page.getByRole('dialog');
  await panel.getByText('NO_FACE_DETECTED').first().waitFor();
  const id = await panel.getByText(/^req_/).innerText();
  await owner.open(`/requests?requestId=${id}`);
  await row.waitFor();
  await expectAccessible(page);
});
