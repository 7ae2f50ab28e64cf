/**
 * The hosted page in Chromium: problems of camera, browser and environment.
 *
 * Slow: it opens the page of checks in a browser for each failure.
 */
import texts from '../../content/verify/en.json';
import { failCamera } from './browser';
import { button, consent, gateway, newContext, open, page, sees, setUpStage, site } from './stage';

setUpStage();

describe('a camera that is', () => {
  test.each([
    ['denied', 'NotAllowedError', 'Permission denied'],
    ['dismissed', 'NotAllowedError', 'Permission dismissed'],
    ['none', 'NotFoundError', 'Requested device not found'],
    ['inUse', 'NotReadableError', 'Could not start video source'],
  ])('%s is explained and can be retried', async (problem, name, message) => {
    await failCamera(page, { name, message });
    await open();
    await sees('consent');
    await consent();
    await sees(`cameraProblem.${problem}`);
    expect(gateway.count('begin')).toBe(0);
    if (problem === 'denied') {
      const steps = texts.allowCamera.find((family) => family.name === 'desktopChrome')?.steps;
      expect(await page.getByRole('listitem').allTextContents()).toEqual(steps);
    }
    await page.evaluate(() => (window as unknown as { heal(): void }).heal());
    await page.getByRole('button', { name: / again$/ }).click();
    await sees('ended.completed');
  });

  test.each([
    ['denied', 'NotAllowedError', 'Permission denied'],
    ['inUse', 'NotReadableError', 'Could not start video source'],
  ])(
    '%s on a desktop leaves a phone, the link and the other way of the account',
    async (problem, name, message) => {
      await newContext({ viewport: { width: 1280, height: 800 } });
      gateway.page = { alternative: { text: 'Visit a branch.' } };
      await failCamera(page, { name, message });
      await open();
      await sees('consent');
      await consent();
      await sees(`cameraProblem.${problem}`);
      await page.getByText('Visit a branch.').waitFor();
      expect(await page.getByRole('textbox').inputValue()).toBe(`${site.url}/verify#${gateway.link}`);
      await button(texts.handover.action).click();
      await sees('handover');
    },
  );

  test('unplugged interrupts the capture', async () => {
    gateway.stuck = true;
    await open();
    await sees('consent');
    await consent();
    await gateway.called('frame', 2);
    await page.locator('video').evaluate((video) => {
      const { srcObject } = video as HTMLVideoElement;
      for (const track of (srcObject as MediaStream).getTracks()) track.dispatchEvent(new Event('ended'));
    });
    await sees('paused.cameraEnded');
  });

  test('no longer needed is switched off', async () => {
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

describe('a script for the camera that does not load', () => {
  const script = '**/frame-stream.js';

  test('loads again once the connection is back', async () => {
    await page.route(script, (route) => route.abort(), { times: 1 });
    await open();
    await sees('consent');
    await consent();
    await sees('ended.completed');
  });

  test('and does not fail either shows that the page waits, not that the browser asks', async () => {
    let load = () => {};
    const loads = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(script, async (route) => {
      await loads;
      await route.continue();
    });
    await open();
    await sees('consent');
    await consent();
    await sees('opening');
    load();
    await sees('ended.completed');
  });

  test('leads to a reload if it fails again', async () => {
    await page.route(script, (route) => route.abort());
    await open();
    await sees('consent');
    await consent();
    await sees('blocked.unknown');
    await page.unroute(script);
    await page.getByRole('button').first().click();
    await sees('consent');
    await consent();
    await sees('ended.completed');
  });
});

describe('a browser', () => {
  test('without getUserMedia shows the link for another browser', async () => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    await open();
    await sees('blocked.unsupported');
    expect(await page.getByRole('textbox').inputValue()).toBe(`${site.url}/verify#${gateway.link}`);
    expect(gateway.calls).toEqual([]);
  });

  test('in an insecure context shows an explanation', async () => {
    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
    await open();
    await sees('blocked.insecure');
    expect(gateway.calls).toEqual([]);
  });

  test('without scripts shows the requirements', async () => {
    await newContext({ javaScriptEnabled: false });
    await open();
    await page.getByRole('heading', { name: texts.noScript.heading }).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(false);
  });

  test('without cascade layers gets all styles', async () => {
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

  test('a hidden page stops the capture until a restart', async () => {
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

  test('a rotation stops the capture', async () => {
    await capture();
    await page.evaluate(() => window.dispatchEvent(new Event('orientationchange')));
    await sees('paused.rotated');
  });

  test('a lost network is shown, and the capture continues when it is back', async () => {
    await capture();
    gateway.offline = true;
    const trouble = texts.trouble.find(({ name }) => name === 'offline')?.text as string;
    await page.getByText(trouble).waitFor();
    gateway.offline = false;
    gateway.stuck = false;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await sees('ended.completed');
    expect(gateway.count('begin')).toBe(1);
  });

  test('a lost network does not blame the person, and a try that ran out meanwhile can be restarted', async () => {
    gateway.timeoutSeconds = 30;
    await page.clock.install();
    await capture();
    gateway.offline = true;
    const trouble = page.getByText(texts.trouble.find(({ name }) => name === 'offline')?.text as string);
    await trouble.waitFor();
    await page.clock.runFor(40_000);
    expect(await trouble.isVisible()).toBe(true);
    expect(await page.locator('.offer').isVisible()).toBe(false);
    gateway.offline = false;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await sees('paused.connection');
  });

  test('an overloaded service is shown and retried', async () => {
    gateway.script('start', { refuse: 'SERVICE_UNAVAILABLE', reason: 'overload', retryAfter: 1 });
    await open();
    await page.getByText(texts.trouble.find(({ name }) => name === 'busy')?.text as string).waitFor();
    await sees('consent');
    expect(gateway.count('start')).toBe(2);
  });

  test('a service that stays unavailable leads to an offer of other ways, before the consent and after it', async () => {
    const busy = { refuse: 'SERVICE_UNAVAILABLE', reason: 'overload', retryAfter: 1 } as const;
    const unavailable = () => Array.from({ length: 300 }, () => busy);
    await page.clock.install();
    gateway.script('start', ...unavailable());
    await open();
    await gateway.called('start');
    await page.clock.runFor(20_000);
    await page.getByText(texts.alternative.none).waitFor();
    expect(await page.getByRole('textbox').inputValue()).toBe(`${site.url}/verify#${gateway.link}`);
    await page.getByText(texts.trouble.find(({ name }) => name === 'busy')?.text as string).waitFor();
    gateway.script('start');
    gateway.script('begin', ...unavailable());
    await sees('consent');
    await consent();
    await gateway.called('begin');
    await page.clock.runFor(20_000);
    await page.locator('.offer').getByRole('button', { name: texts.alternative.heading }).waitFor();
    gateway.script('begin');
    await sees('ended.completed');
  });

  test('another tab or device after the last frame offers a restart', async () => {
    gateway.script('complete', { cut: true }, { refuse: 'SESSION_STATE_CONFLICT', reason: 'attempt' });
    await open();
    await sees('consent');
    await consent();
    await sees('paused.replaced');
    await button('Continue here').click();
    await sees('ended.completed');
  });

  test('another tab or device offers a restart', async () => {
    await capture();
    gateway.script('frame', { refuse: 'SESSION_STATE_CONFLICT', reason: 'attempt' });
    await sees('paused.replaced');
  });

  test('a timeout offers a restart', async () => {
    gateway.timeoutSeconds = 1;
    await capture();
    await sees('paused.timeout');
  });
});
