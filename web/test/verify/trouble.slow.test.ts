/**
 * The hosted page in Chromium: problems of camera, browser and environment.
 *
 * Slow: it opens the page of checks in a browser for each failure.
 */
import words from '../../content/verify/en.json';
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
      const steps = words.allowCamera.find((family) => family.name === 'desktopChrome')?.steps;
      expect(await page.getByRole('listitem').allTextContents()).toEqual(steps);
    }
    await page.evaluate(() => (window as unknown as { heal(): void }).heal());
    await page.getByRole('button', { name: / again$/ }).click();
    await sees('ended.completed');
  });

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
    await page.getByRole('heading', { name: words.noScript.heading }).waitFor();
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
    const trouble = words.trouble.find(({ name }) => name === 'offline')?.text as string;
    await page.getByText(trouble).waitFor();
    gateway.offline = false;
    gateway.stuck = false;
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await sees('ended.completed');
    expect(gateway.count('begin')).toBe(1);
  });

  test('an overloaded service is shown and retried', async () => {
    gateway.script('start', { refuse: 'SERVICE_UNAVAILABLE', reason: 'overload', retryAfter: 1 });
    await open();
    await page.getByText(words.trouble.find(({ name }) => name === 'busy')?.text as string).waitFor();
    await sees('consent');
    expect(gateway.count('start')).toBe(2);
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
