/** The hosted page in Chromium, against a gateway that a test scripts and that holds both sides to the contract. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import words from '../../content/verify.json';
import { type Site, startSite } from '../start-site';
import { failCamera, launch, recordRequests } from './browser';
import { ScriptedGateway } from './scripted-gateway';

const PUBLIC = join(__dirname, '../../public');
/** What Gatsby, React and the site's header and footer weighed before this page was there, gzipped. */
const GATSBY_BYTES = 91_546;

let browser: Browser;
let gateway: ScriptedGateway;
let site: Site;
let context: BrowserContext;
let page: Page;
let requests: string[];

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  gateway = await ScriptedGateway.start();
  site = await startSite({ API_URL: gateway.url });
  await newContext();
});
afterEach(async () => {
  await context.close();
  await Promise.all([site.stop(), gateway.stop()]);
  expect(gateway.violations).toEqual([]);
});

async function newContext(options: BrowserContextOptions = {}) {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  context.setDefaultTimeout(20_000);
  requests = recordRequests(context);
  page = await context.newPage();
}

const open = (link = gateway.link) => page.goto(`${site.url}/verify#${link}`);

/** Waits for the view whose message has this name. */
const sees = (name: string) => page.locator(`[data-name="${name}"]`).waitFor();

const button = (name: string) => page.getByRole('button', { name, exact: true });

async function consent() {
  await page.getByRole('checkbox').check();
  await button(words.consent.action).click();
}

const headingOf = (name: string) => words.messages.find((message) => message.name === name)?.heading;

describe('a check', () => {
  test('goes from consent over every step to the way back', async () => {
    gateway.returnUrl = 'https://app.example.com/done?user=1';
    await open();
    await sees('consent');
    expect(new URL(page.url()).hash).toBe('');
    await consent();
    for (const name of gateway.movements) {
      const text = words.movements.find((movement) => movement.name === name)?.text;
      await page.getByRole('heading', { level: 1, name: text as string }).waitFor();
    }
    await sees('ended.completed');

    expect([...new Set(gateway.calls)]).toEqual(['start', 'begin', 'frame', 'complete']);
    expect(gateway.frames.length).toBeGreaterThanOrEqual(16);
    const back = page.getByRole('link', { name: words.return.action });
    expect(await back.getAttribute('href')).toBe(
      `https://app.example.com/done?user=1&sessionId=${gateway.sessionId}&status=completed`,
    );
    await page.route('https://app.example.com/**', (route) => route.fulfill({ body: 'back' }));
    await page.waitForURL(/^https:\/\/app\.example\.com\/done/);
  });

  test('reaches nothing but the site and the gateway', async () => {
    await open();
    await sees('consent');
    await consent();
    await sees('ended.completed');
    const origins = new Set(requests.map((address) => new URL(address).origin));
    expect(origins).toEqual(new Set([site.url, gateway.url]));
    expect(requests.filter((address) => address.includes(gateway.link))).toEqual([]);
  });

  test('waits for consent', async () => {
    await open();
    await sees('consent');
    await button(words.consent.action).click();
    await page.getByText(words.consent.missing).waitFor();
    expect(await page.getByRole('checkbox').evaluate((box) => box === document.activeElement)).toBe(true);
    expect(gateway.count('begin')).toBe(0);
  });

  test('can be done with the keyboard alone', async () => {
    await open();
    await sees('consent');
    const order: string[] = [];
    for (let presses = 0; presses < 2; presses++) {
      await page.keyboard.press('Tab');
      order.push(await page.evaluate(() => document.activeElement?.tagName ?? ''));
    }
    expect(order).toEqual(['INPUT', 'BUTTON']);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sees('ended.completed');
  });

  test('moves the focus to the heading of each view', async () => {
    gateway.outcome = { status: 'started', hint: 'lighting' };
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await open();
    await sees('consent');
    expect(await focused()).toBe(words.consent.heading);
    await consent();
    await sees('retry.lighting');
    expect(await focused()).toBe(headingOf('retry.lighting'));
  });

  test('shows what the account asks it to show', async () => {
    gateway.branding = { name: 'Example Bank', colors: { accent: '#00684a', background: '#fff8ec' } };
    await open();
    await page.getByText('Example Bank asks you for this check.').waitFor();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(
      'rgb(255, 248, 236)',
    );
  });

  test('survives a reload without the link in the address bar', async () => {
    await open();
    await sees('consent');
    await page.reload();
    await sees('consent');
    expect(gateway.count('start')).toBe(2);
    expect(gateway.count('cancel')).toBe(0);
  });

  test('follows another link in the same tab', async () => {
    await open('broken');
    await sees('blocked.linkInvalid');
    await page.evaluate((link) => {
      window.location.hash = link;
    }, gateway.link);
    await sees('consent');
  });

  test('tells the person what to change', async () => {
    gateway.guidance = 'tooDark';
    await open();
    await sees('consent');
    await consent();
    const text = words.guidance.find(({ name }) => name === 'tooDark')?.text as string;
    await page.getByRole('status').filter({ hasText: text }).waitFor();
  });
});

describe('a camera that is', () => {
  test.each([
    ['denied', 'NotAllowedError', 'Permission denied'],
    ['dismissed', 'NotAllowedError', 'Permission dismissed'],
    ['none', 'NotFoundError', 'Requested device not found'],
    ['inUse', 'NotReadableError', 'Could not start video source'],
  ])('%s is explained, and asked for again', async (problem, name, message) => {
    await failCamera(page, { name, message });
    await open();
    await sees('consent');
    await consent();
    await sees(`cameraProblem.${problem}`);
    expect(gateway.count('begin')).toBe(0);
    if (problem === 'denied') {
      const steps = words.allowCamera.find((family) => family.name === 'desktopChrome')?.steps;
      expect(await page.getByRole('listitem').allTextContents()).toEqual(steps);
    }
    await page.evaluate(() => (window as unknown as { heal(): void }).heal());
    await page.getByRole('button', { name: / again$/ }).click();
    await sees('ended.completed');
  });

  test('unplugged ends the capture', async () => {
    gateway.stuck = true;
    await open();
    await sees('consent');
    await consent();
    await gateway.called('frame', 2);
    await page.evaluate(() => {
      const { srcObject } = document.querySelector('video') as HTMLVideoElement;
      for (const track of (srcObject as MediaStream).getTracks()) track.dispatchEvent(new Event('ended'));
    });
    await sees('paused.cameraEnded');
  });

  test('needed no more is switched off', async () => {
    await page.addInitScript(() => {
      const { mediaDevices } = navigator;
      const real = mediaDevices.getUserMedia.bind(mediaDevices);
      mediaDevices.getUserMedia = async (constraints) => {
        const stream = await real(constraints);
        Object.assign(window, { stream });
        return stream;
      };
    });
    await open();
    await sees('consent');
    await consent();
    await sees('ended.completed');
    const states = await page.evaluate(() =>
      (window as unknown as { stream: MediaStream }).stream.getTracks().map(({ readyState }) => readyState),
    );
    expect(states).toEqual(['ended']);
  });
});

describe('a browser', () => {
  test('without a camera for pages gets the link to take elsewhere', async () => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    await open();
    await sees('blocked.unsupported');
    expect(await page.getByRole('textbox').inputValue()).toBe(`${site.url}/verify#${gateway.link}`);
    expect(gateway.calls).toEqual([]);
  });

  test('that calls the page insecure is told so', async () => {
    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
    await open();
    await sees('blocked.insecure');
    expect(gateway.calls).toEqual([]);
  });

  test('without scripts reads what is needed', async () => {
    await newContext({ javaScriptEnabled: false });
    await open();
    await page.getByRole('heading', { name: words.noScript.heading }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(false);
  });

  test('that knows no cascade layers has no styles to miss', async () => {
    const html = await (await fetch(`${site.url}/verify`)).text();
    expect(html).toContain('<style');
    expect(html).not.toContain('@layer');
  });
});

describe('an interruption by', () => {
  const capture = async () => {
    gateway.stuck = true;
    await open();
    await sees('consent');
    await consent();
    await gateway.called('frame', 2);
  };

  test('a hidden page stops the capture until it is started again', async () => {
    await capture();
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await sees('paused.hidden');
    gateway.stuck = false;
    await button('Start again').click();
    await sees('ended.completed');
    expect(gateway.count('begin')).toBe(2);
    expect(gateway.count('cancel')).toBe(0);
  });

  test('a device that is turned stops it', async () => {
    await capture();
    await page.evaluate(() => window.dispatchEvent(new Event('orientationchange')));
    await sees('paused.rotated');
  });

  test('a network that is gone is told, and the capture goes on when it is back', async () => {
    await capture();
    gateway.offline = true;
    const trouble = words.trouble.find(({ name }) => name === 'offline')?.text as string;
    await page.getByText(trouble).waitFor();
    gateway.offline = false;
    gateway.stuck = false;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await sees('ended.completed');
    expect(gateway.count('begin')).toBe(1);
  });

  test('a busy service is told and waited for', async () => {
    gateway.script('start', { refuse: 'SERVICE_UNAVAILABLE', reason: 'overload', retryAfter: 1 });
    await open();
    await page.getByText(words.trouble.find(({ name }) => name === 'busy')?.text as string).waitFor();
    await sees('consent');
    expect(gateway.count('start')).toBe(2);
  });

  test('another tab or device leaves the choice', async () => {
    await capture();
    gateway.script('frame', { refuse: 'SESSION_STATE_CONFLICT', reason: 'attempt' });
    await sees('paused.replaced');
  });

  test('the end of its time lets it be started again', async () => {
    gateway.timeoutSeconds = 1;
    await capture();
    await sees('paused.timeout');
  });
});

describe('leaving', () => {
  test('is asked about, and then cancels', async () => {
    gateway.returnUrl = 'https://app.example.com/done';
    await open();
    await sees('consent');
    await button(words.leave).click();
    await sees('leaveAsked');
    await button('Stay').click();
    await sees('consent');
    expect(gateway.count('cancel')).toBe(0);
    await button(words.leave).click();
    await button('Leave the check').click();
    await sees('ended.cancelled');
    const back = page.getByRole('link', { name: words.return.action });
    expect(await back.getAttribute('href')).toContain('status=cancelled');
  });

  test('the page by any other way is told, and does not cancel', async () => {
    gateway.stuck = true;
    await open();
    await sees('consent');
    await consent();
    await gateway.called('frame', 2);
    await page.goto(`${site.url}/404`);
    await page.goBack();
    await sees('consent');
    expect(gateway.count('cancel')).toBe(0);
  });

  test('by closing the page is told', async () => {
    await open();
    await sees('consent');
    await page.close({ runBeforeUnload: true });
    await gateway.called('leave');
    expect(gateway.calls).toEqual(['start', 'leave']);
  });

  test('to load the page anew is told, and then it starts again', async () => {
    await open();
    await sees('consent');
    await page.reload();
    await gateway.called('start', 2);
    await gateway.called('leave');
    await sees('consent');
  });
});

describe('the gateway says that', () => {
  test.each([
    ['the link is wrong', { refuse: 'INVALID_API_KEY', reason: 'token' }, 'blocked.linkInvalid'],
    ['the data is erased', { refuse: 'NOT_FOUND', reason: 'session' }, 'blocked.linkInvalid'],
    ['the session expired', { refuse: 'SESSION_EXPIRED' }, 'ended.expired'],
    ['something went wrong', { refuse: 'INTERNAL_ERROR' }, 'blocked.unknown'],
  ] as const)('%s', async (_case, answer, name) => {
    gateway.script('start', answer);
    await open();
    await sees(name);
    if (name === 'blocked.unknown') await page.getByText('req_a8PnYw2GfUq6MxJv4EtKc0Ds').waitFor();
  });

  test('the session has ended elsewhere', async () => {
    gateway.script('start', { refuse: 'SESSION_STATE_CONFLICT', reason: 'final' });
    gateway.status = 'failed';
    await open();
    await sees('ended.failed');
  });

  test('the account refused the session', async () => {
    gateway.status = 'cancelled';
    await open();
    await sees('ended.cancelled');
  });

  test('a capture is being judged, whose outcome the page waits for', async () => {
    gateway.status = 'checking';
    await open();
    await gateway.called('read');
    gateway.status = 'completed';
    await sees('ended.completed');
  });

  test('the check was not passed, and may be tried again', async () => {
    gateway.outcome = { status: 'started', hint: 'movement' };
    await open();
    await sees('consent');
    await consent();
    await sees('retry.movement');
    await page.getByText('2 more tries are left.').waitFor();
    gateway.outcome = { status: 'failed' };
    await button('Try again').click();
    await sees('ended.failed');
  });

  test('the device has to wait', async () => {
    gateway.script('begin', { refuse: 'RATE_LIMIT_EXCEEDED', reason: 'livenessAttempts', retryAfter: 1800 });
    await open();
    await sees('consent');
    await consent();
    await sees('locked');
    expect(await page.getByText(/has to wait until/).textContent()).toMatch(/until \d{1,2}:\d{2}/);
  });

  test('the device has to wait after this attempt', async () => {
    const lockedUntil = new Date(Date.now() + 1_800_000).toISOString();
    gateway.outcome = { status: 'started', hint: 'retry', lockedUntil };
    await open();
    await sees('consent');
    await consent();
    await sees('locked');
  });

  test('the link was started too often', async () => {
    gateway.script('begin', { refuse: 'SESSION_STATE_CONFLICT', reason: 'attempts' });
    await open();
    await sees('consent');
    await consent();
    await sees('blocked.usedUp');
  });

  test('the verdict is final although the answer was lost on the way', async () => {
    gateway.script('complete', { cut: true });
    await open();
    await sees('consent');
    await consent();
    await sees('ended.completed');
    expect(gateway.count('complete')).toBe(2);
  });
});

test('the page weighs at most 25 KB of scripts more than Gatsby itself', async () => {
  await open();
  await sees('consent');
  const scripts = requests.flatMap((address) => /\/([^/]+\.js)$/.exec(new URL(address).pathname)?.[1] ?? []);
  const bytes = (names: string[]) =>
    names.reduce((sum, name) => sum + statSync(join(PUBLIC, `${name}.gz`)).size, 0);
  const own = scripts.filter((name) => !/^(?:app|framework|webpack-runtime)-/.test(name));
  expect(own.length).toBeGreaterThan(0);
  expect(bytes(own)).toBeLessThan(25 * 1024);
  expect(bytes(scripts)).toBeLessThan(GATSBY_BYTES + 25 * 1024);
});

describe.each(['light', 'dark'] as const)('for assistive technology, in %s', (colorScheme) => {
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

  async function violations() {
    await page.evaluate(axe);
    return page.evaluate(async () => {
      const { run } = (window as unknown as { axe: typeof import('axe-core') }).axe;
      const { violations } = await run();
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
  }

  beforeEach(() => newContext({ colorScheme, reducedMotion: 'reduce' }));

  test('consent, capture, retry and end have nothing that axe finds', async () => {
    gateway.outcome = { status: 'started', hint: 'oneFace' };
    gateway.branding = { name: 'Example Bank' };
    gateway.stuck = true;
    await open();
    await sees('consent');
    await button(words.consent.action).click();
    expect(await violations()).toEqual([]);
    await consent();
    await gateway.called('frame', 3);
    expect(await violations()).toEqual([]);
    gateway.stuck = false;
    await sees('retry.oneFace');
    expect(await violations()).toEqual([]);
    gateway.outcome = { status: 'completed' };
    await button('Try again').click();
    await sees('ended.completed');
    expect(await violations()).toEqual([]);
  });

  test('neither has a blocked camera', async () => {
    await failCamera(page, { name: 'NotFoundError', message: '' });
    await open();
    await sees('consent');
    await consent();
    await sees('cameraProblem.none');
    expect(await violations()).toEqual([]);
  });
});

describe.each([
  [390, 844],
  [360, 640],
  [768, 1024],
  [1280, 800],
  [844, 390],
])('on %d x %d', (width, height) => {
  beforeEach(() => newContext({ viewport: { width, height } }));

  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

  test('nothing is cut off, and a capture needs no scrolling', async () => {
    gateway.stuck = true;
    await open();
    await sees('consent');
    expect(await overflow()).toBe(0);
    await consent();
    await gateway.called('frame', 2);
    expect(await overflow()).toBe(0);
    const stage = await page.locator('video').boundingBox();
    expect((stage?.y ?? 0) + (stage?.height ?? height)).toBeLessThanOrEqual(height);
    expect(stage?.width).toBeGreaterThan(180);
  });

  test('text of twice the size fits', async () => {
    gateway.stuck = true;
    await open();
    await sees('consent');
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '34px'));
    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('34px');
    expect(await overflow()).toBe(0);
    await consent();
    await gateway.called('frame', 2);
    expect(await overflow()).toBe(0);
  });
});
