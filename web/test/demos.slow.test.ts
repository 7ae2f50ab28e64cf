/**
 * The demos of the built pages: they show results of the real engine, and readers can operate them.
 *
 * Slow: it compares the demos of every product page with real models.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import faceWarning from '@presenza/contract/schemas/face-warning.json';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  type RunningServer,
  type RunningSite,
  startInference,
  startSite,
} from '../../gateway/harness/index.mjs';
import texts from '../content/demos.json';
import type { Similarity } from '../src/features/demos/comparison';
import type { DetectedFace } from '../src/features/demos/detected-face';
import type { Element } from '../src/features/demos/moderation';
import { twoDecimals } from '../src/features/demos/text';
import { launch } from './chromium';

const WEB = join(__dirname, '..');
const PUBLIC = join(WEB, 'public');
const PAGES = {
  comparison: '/products/face-matching',
  detection: '/products/face-detection',
  moderation: '/products/image-moderation',
  liveness: '/products/liveness-verification',
};

type DetectionImage = Image & { faces: DetectedFace[] };

interface Image {
  name: string;
  src: string;
  elements: Element[];
  warnings: string[];
}

/** Gatsby writes the result of each static query into a file of its own. */
const results = readdirSync(join(PUBLIC, 'page-data/sq/d'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(PUBLIC, 'page-data/sq/d', file), 'utf8')).data);
const comparison: { allDemoImage: { nodes: Image[] }; allDemoSimilarity: { nodes: Similarity[] } } =
  results.find((data) => data.allDemoSimilarity && data.allDemoImage);
const detection: { allDemoImage: { nodes: DetectionImage[] } } = results.find((data) =>
  data.allDemoImage?.nodes.some(({ faces }: { faces?: unknown[] }) => faces?.length),
);
const [photo, group] = detection.allDemoImage.nodes as [DetectionImage, DetectionImage];
const moderation: { allDemoImage: { nodes: Image[] } } = results.find((data) =>
  data.allDemoImage?.nodes.some(({ elements }: Partial<Image>) => elements?.length),
);
const bytesOf = ({ src }: Image) => readFileSync(join(PUBLIC, src));

describe('the images', () => {
  const published = [...comparison.allDemoImage.nodes, group, ...moderation.allDemoImage.nodes];

  test('weigh less than 250 kB together', () => {
    const bytes = published.reduce((sum, image) => sum + bytesOf(image).length, 0);
    expect(bytes).toBeLessThan(250_000);
  });

  describe('without a working engine', () => {
    const folder = mkdtempSync(join(tmpdir(), 'demos-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const engine = join(folder, 'main.js');
    const source = pathToFileURL(join(WEB, 'gatsby/demos/engine.mjs'));
    const start = () =>
      evaluate(`
        import { withEngine } from ${JSON.stringify(source.href)};
        await withEngine({}, () => undefined, ${JSON.stringify(engine)});`);

    test('the build fails and names the command that builds the engine', async () => {
      const { stderr, code } = await start();
      expect(code).toBe(1);
      expect(stderr).toMatch(/inference tier.* not built: run `npm run build`/);
    });

    test('the build fails and prints the last lines of the engine', async () => {
      writeFileSync(engine, 'for (let i = 1; i <= 12; i++) console.log("line", i); process.exitCode = 3;');
      const { stderr, code } = await start();
      expect(code).toBe(1);
      expect(stderr).toMatch(/inference ended \(exit code 3\) before .*:\n(?:line \d+\n)*line 12\n/);
    });
  });
});

describe('the results', () => {
  let engine: RunningServer;
  beforeAll(async () => {
    engine = await startInference({ INFERENCE_DEVICE: 'cpu', INFERENCE_PRECISION: 'float32' });
  });
  afterAll(() => engine.stop());

  async function ask(operation: string, images: Buffer[], headers: Record<string, string> = {}) {
    const lengths = images.map(({ length }) => length).join();
    const response = await fetch(`${engine.url}/${operation}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        ...headers,
        ...(images.length > 1 && { 'x-part-lengths': lengths }),
      },
      body: Buffer.concat(images),
    });
    expect(response.status).toBe(200);
    return response.json();
  }

  test('results of comparison are the engine’s for every pair of published images', async () => {
    const portraits = comparison.allDemoImage.nodes;
    const pairs = comparison.allDemoSimilarity.nodes;
    expect(pairs).toHaveLength((portraits.length * (portraits.length - 1)) / 2);
    const file = (name: string) => bytesOf(portraits.find((portrait) => portrait.name === name) as Image);
    for (const { source, target, similarity } of pairs) {
      const { targets } = await ask('compare', [file(source), file(target)]);
      expect(targets[0].similarity).toBeCloseTo(similarity, 3);
    }
  });

  test('separate three people at the default threshold and match each with their own images, without warnings', () => {
    const { nodes } = comparison.allDemoImage;
    const warned = nodes.filter(({ warnings }) => warnings.length > 0).map(({ name }) => name);
    expect(warned).toEqual(['ada-4', 'ben-4']);
    const personOf = new Map(nodes.map(({ name }) => [name, name.split('-')[0]]));
    expect(new Set(personOf.values()).size).toBe(3);
    for (const { source, target, similarity } of comparison.allDemoSimilarity.nodes) {
      if (warned.includes(source) || warned.includes(target)) continue;
      expect([source, target, similarity >= 0.8]).toEqual([
        source,
        target,
        personOf.get(source) === personOf.get(target),
      ]);
    }
  });

  test.each([
    ['the photo', photo, 1],
    ['the group', group, 7],
  ])('results of detection in %s are the engine’s, with all landmarks', async (_, image, count) => {
    const { faces } = image;
    expect(faces).toHaveLength(count);
    const detected = await ask('detect', [bytesOf(image)], { 'x-attributes': 'all' });
    expect(detected.faces).toHaveLength(faces.length);
    faces.forEach(({ boundingBox, confidence, attributes }, i) => {
      const asked: DetectedFace = detected.faces[i];
      expect(confidence).toBeCloseTo(asked.confidence, 3);
      expect(boundingBox.left).toBeCloseTo(asked.boundingBox.left, 3);
      expect(boundingBox.top).toBeCloseTo(asked.boundingBox.top, 3);
      expect(attributes.emotions[0]?.type).toBe(asked.attributes.emotions[0]?.type);
      expect(attributes.landmarks.map(({ type }) => type)).toEqual(
        asked.attributes.landmarks.map(({ type }) => type),
      );
      attributes.landmarks.forEach(({ x, y }, k) => {
        expect(x).toBeCloseTo(asked.attributes.landmarks[k]?.x as number, 3);
        expect(y).toBeCloseTo(asked.attributes.landmarks[k]?.y as number, 3);
      });
    });
  });

  test('results of moderation are the engine’s: violence in one image, nothing in the other', async () => {
    const surest: number[] = [];
    for (const image of moderation.allDemoImage.nodes) {
      const { elements } = await ask('moderate', [bytesOf(image)]);
      expect(image.elements.map(({ type }) => type)).toEqual(elements.map(({ type }: Element) => type));
      image.elements.forEach(({ confidence }, i) => {
        expect(confidence).toBeCloseTo(elements[i].confidence, 3);
      });
      surest.push(image.elements[0]?.confidence as number);
    }
    expect(surest.map((confidence) => confidence >= 0.5)).toEqual([true, false]);
  });
});

test('every warning of the contract has a text', () => {
  expect(texts.faceComparison.warnings.map(({ warning }) => warning)).toEqual(faceWarning.enum);
});

describe('in a browser', () => {
  let site: RunningSite;
  let browser: Browser;
  beforeAll(async () => {
    [site, browser] = await Promise.all([startSite(), launch()]);
  });
  afterAll(async () => {
    await browser.close();
    await site.stop();
  });

  async function onPage(
    path: string,
    use: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => {
      if (/Content Security Policy|hydrat/i.test(message.text())) faults.push(message.text());
    });
    try {
      await page.goto(site.url + path);
      await use(page);
      expect(faults).toEqual([]);
    } finally {
      await context.close();
    }
  }
  /** The demo of a page, once its controls are enabled. */
  async function demo(page: Page, label: string) {
    const figure = page.getByRole('figure', { name: label });
    await figure.locator('button:enabled, input:enabled').first().waitFor({ state: 'attached' });
    return figure;
  }

  test('a threshold above the similarity turns a match into no match, also by keyboard', async () => {
    const { label, threshold } = texts.faceComparison;
    await onPage(PAGES.comparison, async (page) => {
      const figure = await demo(page, label);
      const verdict = figure.locator('[aria-live="polite"]');
      await expectText(verdict, /^Match:.* 0\.80\.$/);
      const slider = figure.getByRole('slider', { name: threshold });
      await slider.press('End');
      await expectText(verdict, /^No match:.* 1\.00\.$/);
      await slider.press('ArrowLeft');
      await expectText(verdict, / 0\.99\.$/);
    });
  });

  test('another portrait changes the similarity, and an identical pair asks for another portrait', async () => {
    const { label, same } = texts.faceComparison;
    await onPage(PAGES.comparison, async (page) => {
      const figure = await demo(page, label);
      const verdict = figure.locator('[aria-live="polite"]');
      const target = figure.getByRole('group').nth(1);
      await target.getByRole('radio').nth(4).check();
      await expectText(verdict, /^No match:/);
      await target.getByRole('radio').nth(0).check();
      await expectText(verdict, new RegExp(`^${same.slice(0, 20)}`));
    });
  });

  test('two blurred portraits of different people match, and the demo says not to rely on it', async () => {
    const { label, sides, warnings } = texts.faceComparison;
    const [{ text } = { text: '' }] = warnings.filter(({ warning }) => warning === 'blur');
    await onPage(PAGES.comparison, async (page) => {
      const figure = await demo(page, label);
      const verdict = figure.locator('[aria-live="polite"]');
      await figure.getByRole('group').nth(0).getByRole('radio').nth(4).check();
      await figure.getByRole('group').nth(1).getByRole('radio').nth(7).check();
      await expectText(verdict, new RegExp(`^Match: .*${sides[0]}: ${text}.*${sides[1]}: ${text}`));
    });
  });

  test('readers can select each face of the group and hide the layers', async () => {
    const { label, face, boxes, landmarks, images } = texts.faceDetection;
    const { faces } = group;
    await onPage(PAGES.detection, async (page) => {
      const figure = await demo(page, label);
      const result = figure.getByRole('region');
      await expectText(result, new RegExp(`confidence${twoDecimals(photo.faces[0]?.confidence ?? 0)}`));
      await figure.getByRole('radio', { name: images[1]?.label as string }).check();
      await expectText(result, new RegExp(`confidence${twoDecimals(faces[0]?.confidence ?? 0)}`));
      await figure.getByRole('radio', { name: face.replace('{number}', '1') }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await figure.getByRole('radio', { name: face.replace('{number}', '2') }).isChecked()).toBe(true);
      await expectText(result, new RegExp(`brightness${twoDecimals(faces[1]?.quality.brightness ?? 0)}`));

      const points = faces.reduce((sum, { attributes }) => sum + attributes.landmarks.length, 0);
      expect(await figure.locator('svg circle').count()).toBe(points);
      await figure.getByRole('checkbox', { name: landmarks }).uncheck();
      expect(await figure.locator('svg circle').count()).toBe(0);
      await figure.getByRole('checkbox', { name: boxes }).uncheck();
      expect(await figure.locator('rect[data-shown="true"]').count()).toBe(0);
    });
  });

  test('readers can show sensitive content and hide it again', async () => {
    const { label, sensitive, show, hide, images } = texts.imageModeration;
    await onPage(PAGES.moderation, async (page) => {
      const figure = await demo(page, label);
      const image = figure.getByRole('img', { name: images[0]?.text as string });
      await figure.getByText(sensitive, { exact: true }).waitFor();
      expect(await image.count()).toBe(0);
      await figure.getByRole('button', { name: show }).press('Enter');
      await image.waitFor();
      expect(await figure.getByText(sensitive, { exact: true }).count()).toBe(0);
      // The focus stays on the button.
      await page.waitForFunction((text) => document.activeElement?.textContent === text, hide);
      await page.keyboard.press('Enter');
      await figure.getByText(sensitive, { exact: true }).waitFor();
    });
  });

  test('a threshold above the confidence, or a harmless image, shows the image', async () => {
    const { label, sensitive, threshold, images } = texts.imageModeration;
    await onPage(PAGES.moderation, async (page) => {
      const figure = await demo(page, label);
      const warning = figure.getByText(sensitive, { exact: true });
      const slider = figure.getByRole('slider', { name: threshold });
      await slider.press('End');
      await warning.waitFor({ state: 'detached' });
      await slider.press('Home');
      await warning.waitFor();
      await slider.fill('0.5');
      await figure.getByRole('radio', { name: images[1]?.label as string }).check();
      await warning.waitFor({ state: 'detached' });
      await figure.getByRole('img', { name: images[1]?.text as string }).waitFor();
    });
  });

  test('the walk-through reaches the signed webhook and starts over', async () => {
    const { label, next, again, steps } = texts.livenessVerification;
    await onPage(PAGES.liveness, async (page) => {
      const figure = await demo(page, label);
      for (const { heading } of steps.slice(1)) {
        await figure.getByRole('button', { name: next }).click();
        await expectText(figure.locator('[aria-live="polite"]'), new RegExp(heading));
      }
      await expectText(figure.locator('pre'), /"eventType": "session\.completed"/);
      await figure.getByRole('button', { name: again }).click();
      await expectText(figure.locator('[aria-live="polite"]'), new RegExp(steps[0]?.heading as string));
    });
  });

  test.each(Object.entries(PAGES))(
    'without its script, the %s demo shows an image with its result',
    async (name, path) => {
      await onPage(
        path,
        async (page) => {
          const figure = page.locator('figure', { has: page.locator('[aria-live="polite"]') });
          expect((await figure.locator('[aria-live="polite"]').innerText()).length).toBeGreaterThan(20);
          expect(await figure.locator(name === 'liveness' ? 'svg path' : 'img').count()).toBeGreaterThan(0);
          expect(await figure.locator('button:enabled, input:enabled').count()).toBe(0);
          // The caption says that the people are drawn.
          expect(await figure.locator('figcaption').count()).toBe(name === 'liveness' ? 0 : 1);
        },
        { javaScriptEnabled: false },
      );
    },
  );
});

/** Runs an ECMAScript module in Node, since Jest cannot import it. */
async function evaluate(code: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = await ended;
  return { stdout, stderr, code: exitCode };
}

/** Waits until an element has the text. */
async function expectText(locator: ReturnType<Page['locator']>, pattern: RegExp) {
  await locator.filter({ hasText: pattern }).waitFor();
}
