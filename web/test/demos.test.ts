/** The demos of the built pages: their answers are the engine's own, and a reader can play with them. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  type RunningServer,
  type RunningSite,
  startInference,
  startSite,
} from '../../deploy/local/harness/index.mjs';
import words from '../content/demos.json';
import type { Similarity } from '../src/features/demos/comparison';
import type { DetectedFace } from '../src/features/demos/detected-face';
import type { Element } from '../src/features/demos/moderation';
import { launch } from './chromium';

const WEB = join(__dirname, '..');
const PUBLIC = join(WEB, 'public');
const PAGES = {
  comparison: '/products/face-matching',
  detection: '/products/face-detection',
  moderation: '/products/image-moderation',
  liveness: '/products/liveness-verification',
};

interface Picture {
  name: string;
  src: string;
  elements: Element[];
}

/** What the built pages hold of the demos: results of queries, in files of their own. */
const results = readdirSync(join(PUBLIC, 'page-data/sq/d'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(PUBLIC, 'page-data/sq/d', file), 'utf8')).data);
const comparison: { allDemoPicture: { nodes: Picture[] }; allDemoSimilarity: { nodes: Similarity[] } } =
  results.find((data) => data.allDemoSimilarity);
const detection: { demoPicture: Picture & { faces: DetectedFace[] } } = results.find(
  (data) => data.demoPicture,
);
const moderation: { allDemoPicture: { nodes: Picture[] } } = results.find((data) =>
  data.allDemoPicture?.nodes.some(({ elements }: Partial<Picture>) => elements?.length),
);
const bytesOf = ({ src }: Picture) => readFileSync(join(PUBLIC, src));

describe('the pictures', () => {
  const published = [
    ...comparison.allDemoPicture.nodes,
    detection.demoPicture,
    ...moderation.allDemoPicture.nodes,
  ];

  test('are drawn alike each time, by code alone', async () => {
    const source = pathToFileURL(join(WEB, 'gatsby/demos/pictures/index.mjs'));
    const drawn = await evaluate(`
      import { createHash } from 'node:crypto';
      import { drawPictures } from ${JSON.stringify(source.href)};
      const digest = ({ bytes }) => createHash('sha256').update(bytes).digest('hex');
      console.log(JSON.stringify((await drawPictures()).map(digest)));`);
    expect(JSON.parse(drawn.stdout)).toEqual(
      published.map((picture) => createHash('sha256').update(bytesOf(picture)).digest('hex')),
    );
  });

  test('are light together', () => {
    const bytes = published.reduce((sum, picture) => sum + bytesOf(picture).length, 0);
    expect(bytes).toBeLessThan(250_000);
  });

  describe('without an engine that starts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'demos-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const engine = join(folder, 'main.js');
    const source = pathToFileURL(join(WEB, 'gatsby/demos/engine.mjs'));
    const start = () =>
      evaluate(`
        import { withEngine } from ${JSON.stringify(source.href)};
        await withEngine({}, () => undefined, ${JSON.stringify(engine)});`);

    test('the build says what to run', async () => {
      const { stderr, code } = await start();
      expect(code).toBe(1);
      expect(stderr).toMatch(/inference tier.* not built: run `npm run build`/);
    });

    test('the build ends with the last lines of the engine', async () => {
      writeFileSync(engine, 'for (let i = 1; i <= 12; i++) console.log("line", i); process.exitCode = 3;');
      const { stderr, code } = await start();
      expect(code).toBe(1);
      expect(stderr).toMatch(/inference ended \(exit code 3\) before .*:\n(?:line \d+\n)*line 12\n/);
    });
  });
});

describe('the answers', () => {
  let engine: RunningServer;
  beforeAll(async () => {
    engine = await startInference({ INFERENCE_DEVICE: 'cpu', INFERENCE_PRECISION: 'float32' });
  });
  afterAll(() => engine.stop());

  async function ask(operation: string, images: Buffer[], headers: Record<string, string> = {}) {
    const lengths = images.map(({ length }) => length).join();
    const answer = await fetch(`${engine.url}/${operation}`, {
      method: 'POST',
      headers: { ...headers, ...(images.length > 1 && { 'x-part-lengths': lengths }) },
      body: Buffer.concat(images),
    });
    expect(answer.status).toBe(200);
    return answer.json();
  }

  test('to comparisons are those of the engine for the published pictures, every pair once', async () => {
    const portraits = comparison.allDemoPicture.nodes;
    const pairs = comparison.allDemoSimilarity.nodes;
    expect(pairs).toHaveLength((portraits.length * (portraits.length - 1)) / 2);
    const file = (name: string) => bytesOf(portraits.find((portrait) => portrait.name === name) as Picture);
    for (const { source, target, similarity } of pairs) {
      const { targets } = await ask('compare', [file(source), file(target)]);
      expect(targets[0].similarity).toBeCloseTo(similarity, 3);
    }
  });

  test('tell two people apart at the default threshold, and know each of them again', () => {
    const { nodes } = comparison.allDemoPicture;
    const personOf = new Map(nodes.map(({ name }) => [name, name.split('-')[0]]));
    expect(new Set(personOf.values()).size).toBe(2);
    for (const { source, target, similarity } of comparison.allDemoSimilarity.nodes) {
      expect([source, target, similarity >= 0.8]).toEqual([
        source,
        target,
        personOf.get(source) === personOf.get(target),
      ]);
    }
  });

  test('to detection are those of the engine, with seven faces and all their landmarks', async () => {
    const { faces } = detection.demoPicture;
    expect(faces).toHaveLength(7);
    const answer = await ask('detect', [bytesOf(detection.demoPicture)], { 'x-attributes': 'all' });
    expect(answer.faces).toHaveLength(faces.length);
    faces.forEach(({ boundingBox, confidence, attributes }, i) => {
      const asked: DetectedFace = answer.faces[i];
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

  test('to moderation are those of the engine: one picture is found violent, the other is not', async () => {
    const surest: number[] = [];
    for (const picture of moderation.allDemoPicture.nodes) {
      const { elements } = await ask('moderate', [bytesOf(picture)]);
      expect(picture.elements.map(({ type }) => type)).toEqual(elements.map(({ type }: Element) => type));
      picture.elements.forEach(({ confidence }, i) => {
        expect(confidence).toBeCloseTo(elements[i].confidence, 3);
      });
      surest.push(picture.elements[0]?.confidence as number);
    }
    expect(surest.map((confidence) => confidence >= 0.5)).toEqual([true, false]);
  });
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
  /** The demo of a page, once its controls work. */
  async function demo(page: Page, label: string) {
    const figure = page.getByRole('figure', { name: label });
    await figure.locator('button:enabled, input:enabled').first().waitFor({ state: 'attached' });
    return figure;
  }

  test('a threshold above the similarity makes a match none, by keyboard as well', async () => {
    const { label, threshold } = words.faceComparison;
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

  test('other portraits have another similarity, and the same one asks for another', async () => {
    const { label, same } = words.faceComparison;
    await onPage(PAGES.comparison, async (page) => {
      const figure = await demo(page, label);
      const verdict = figure.locator('[aria-live="polite"]');
      const target = figure.getByRole('group').nth(1);
      await target.getByRole('radio').nth(3).check();
      await expectText(verdict, /^No match:/);
      await target.getByRole('radio').nth(0).check();
      await expectText(verdict, new RegExp(`^${same.slice(0, 20)}`));
    });
  });

  test('each face of the group can be chosen, and layers be taken away', async () => {
    const { label, face, boxes, landmarks } = words.faceDetection;
    const { faces } = detection.demoPicture;
    await onPage(PAGES.detection, async (page) => {
      const figure = await demo(page, label);
      const answer = figure.getByRole('region');
      await expectText(answer, new RegExp(`confidence${faces[0]?.confidence.toFixed(2)}`));
      await figure.getByRole('radio', { name: face.replace('{number}', '1') }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await figure.getByRole('radio', { name: face.replace('{number}', '2') }).isChecked()).toBe(true);
      await expectText(answer, new RegExp(`brightness${faces[1]?.quality.brightness.toFixed(2)}`));

      const points = faces.reduce((sum, { attributes }) => sum + attributes.landmarks.length, 0);
      expect(await figure.locator('svg circle').count()).toBe(points);
      await figure.getByRole('checkbox', { name: landmarks }).uncheck();
      expect(await figure.locator('svg circle').count()).toBe(0);
      await figure.getByRole('checkbox', { name: boxes }).uncheck();
      expect(await figure.locator('rect[data-shown="true"]').count()).toBe(0);
    });
  });

  test('sensitive content is shown on demand, and hidden again', async () => {
    const { label, sensitive, show, hide, pictures } = words.imageModeration;
    await onPage(PAGES.moderation, async (page) => {
      const figure = await demo(page, label);
      const picture = figure.getByRole('img', { name: pictures[0]?.text as string });
      await figure.getByText(sensitive, { exact: true }).waitFor();
      expect(await picture.count()).toBe(0);
      await figure.getByRole('button', { name: show }).press('Enter');
      await picture.waitFor();
      expect(await figure.getByText(sensitive, { exact: true }).count()).toBe(0);
      // The focus stays on what shows and hides.
      await page.waitForFunction((text) => document.activeElement?.textContent === text, hide);
      await page.keyboard.press('Enter');
      await figure.getByText(sensitive, { exact: true }).waitFor();
    });
  });

  test('a threshold above the confidence, or a harmless picture, holds nothing back', async () => {
    const { label, sensitive, threshold, pictures } = words.imageModeration;
    await onPage(PAGES.moderation, async (page) => {
      const figure = await demo(page, label);
      const warning = figure.getByText(sensitive, { exact: true });
      const slider = figure.getByRole('slider', { name: threshold });
      await slider.press('End');
      await warning.waitFor({ state: 'detached' });
      await slider.press('Home');
      await warning.waitFor();
      await slider.fill('0.5');
      await figure.getByRole('radio', { name: pictures[1]?.label as string }).check();
      await warning.waitFor({ state: 'detached' });
      await figure.getByRole('img', { name: pictures[1]?.text as string }).waitFor();
    });
  });

  test('a check is walked through to the signed webhook, and from the start again', async () => {
    const { label, next, again, steps } = words.livenessVerification;
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
    'without its script, %s is a still picture with its answer',
    async (name, path) => {
      await onPage(
        path,
        async (page) => {
          const figure = page.locator('figure', { has: page.locator('[aria-live="polite"]') });
          expect((await figure.locator('[aria-live="polite"]').innerText()).length).toBeGreaterThan(20);
          expect(await figure.locator(name === 'liveness' ? 'svg path' : 'img').count()).toBeGreaterThan(0);
          expect(await figure.locator('button:enabled, input:enabled').count()).toBe(0);
        },
        { javaScriptEnabled: false },
      );
    },
  );
});

/** Runs an ECMAScript module, which Jest cannot import. */
async function evaluate(code: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code]);
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [exitCode] = await ended;
  return { stdout, stderr, code: exitCode };
}

/** Waits until an element says it. */
async function expectText(locator: ReturnType<Page['locator']>, pattern: RegExp) {
  await locator.filter({ hasText: pattern }).waitFor();
}
