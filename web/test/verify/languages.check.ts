/** The hosted page in Chromium: every state in every language on a phone and a desktop. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import locales from '@presenza/contract/schemas/liveness-locale.json';
import type english from '../../content/verify/en.json';
import { violations } from '../visit';
import { failCamera } from './browser';
import { gateway, newContext, open, page, sees, setUpStage } from './stage';

setUpStage();

type Texts = typeof english;
type Locale = NonNullable<(typeof gateway.page)['locale']>;

const textsOf = (locale: string): Texts =>
  JSON.parse(readFileSync(join(__dirname, '../../content/verify', `${locale}.json`), 'utf8'));

const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

async function agree(texts: Texts) {
  await open();
  await sees('consent');
  await page.getByRole('checkbox').check();
  await press(texts.consent.action);
}

async function capture(texts: Texts) {
  gateway.stuck = true;
  await agree(texts);
  await gateway.called('frame', 2);
}

/** A response that keeps a screen waiting for the gateway. */
const busy = { refuse: 'SERVICE_UNAVAILABLE', reason: 'overload', retryAfter: 60 } as const;

/** Ways to each state; the name of a state begins with that of its message. */
const STATES: Readonly<Record<string, (texts: Texts) => Promise<unknown>>> = {
  opening: () => {
    gateway.script('start', busy);
    return open();
  },
  redirecting: async () => {
    const redirectUrl = 'https://app.example.com/wait';
    // The browser stays on its page if the response is 204.
    await page.route(redirectUrl, (route) => route.fulfill({ status: 204 }));
    gateway.page = { ...gateway.page, redirectUrl };
    await open();
  },
  consent: () => open(),
  'consent with all of its parts': () => {
    gateway.page = { ...gateway.page, auditImageDays: 30, lightChallenge: 'required' };
    return open();
  },
  async askingCamera(texts) {
    await page.addInitScript(() => {
      navigator.mediaDevices.getUserMedia = () => new Promise(() => {});
    });
    await agree(texts);
  },
  async handover({ handover }) {
    await open();
    await press(handover.action);
    await page.getByRole('img', { name: handover.code }).waitFor();
  },
  async stillness({ stillness }) {
    await open();
    await press(stillness.action);
  },
  async otherWays(texts) {
    gateway.outcome = { status: 'started', hint: 'retry' };
    await agree(texts);
    await sees('retry.retry');
    await press(texts.alternative.heading);
  },
  'paused.stopped': async (texts) => {
    await capture(texts);
    expect(await violations(page)).toEqual([]);
    await press(texts.stillness.action);
    await press(texts.stillness.back);
  },
  ...Object.fromEntries(
    [
      ['denied', 'NotAllowedError', 'Permission denied'],
      ['dismissed', 'NotAllowedError', 'Permission dismissed'],
      ['none', 'NotFoundError', ''],
      ['inUse', 'NotReadableError', ''],
      ['failed', 'UnknownError', ''],
    ].map(([problem, name = '', message = '']) => [
      `cameraProblem.${problem}`,
      async (texts: Texts) => {
        await failCamera(page, { name, message });
        await agree(texts);
      },
    ]),
  ),
  'paused.hidden': async (texts) => {
    await capture(texts);
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
  },
  'paused.cameraEnded': async (texts) => {
    await capture(texts);
    await page.locator('video').evaluate((video) => {
      const { srcObject } = video as HTMLVideoElement;
      for (const track of (srcObject as MediaStream).getTracks()) track.dispatchEvent(new Event('ended'));
    });
  },
  'paused.connection': (texts) => {
    const lost = { refuse: 'SESSION_STATE_CONFLICT', reason: 'frame' } as const;
    gateway.script('frame', lost, lost, lost);
    return agree(texts);
  },
  'paused.rotated': async (texts) => {
    await capture(texts);
    await page.evaluate(() => window.dispatchEvent(new Event('orientationchange')));
  },
  'paused.replaced': async (texts) => {
    await capture(texts);
    gateway.script('frame', { refuse: 'SESSION_STATE_CONFLICT', reason: 'attempt' });
  },
  'paused.timeout': (texts) => {
    gateway.timeoutSeconds = 1;
    return capture(texts);
  },
  judging: (texts) => {
    gateway.script('complete', busy);
    return agree(texts);
  },
  ...Object.fromEntries(
    (['lighting', 'movement', 'oneFace', 'retry', 'noFace', 'tooFar', 'tooDark'] as const).map((hint) => [
      `retry.${hint}`,
      (texts: Texts) => {
        gateway.outcome = { status: 'started', hint };
        return agree(texts);
      },
    ]),
  ),
  locked: (texts) => {
    gateway.script('begin', { refuse: 'RATE_LIMIT_EXCEEDED', reason: 'livenessAttempts', retryAfter: 60 });
    return agree(texts);
  },
  lockedOut: (texts) => {
    gateway.script('begin', { refuse: 'RATE_LIMIT_EXCEEDED', reason: 'livenessAttempts', retryAfter: 1800 });
    return agree(texts);
  },
  async leaveAsked({ leave }) {
    await open();
    await press(leave);
  },
  async leaving({ leave, messages }) {
    gateway.script('cancel', busy);
    await open();
    await press(leave);
    await press(messages.find(({ name }) => name === 'leaveAsked')?.action ?? '');
  },
  ...Object.fromEntries(
    (['completed', 'failed', 'cancelled', 'expired'] as const).map((status) => [
      `ended.${status}`,
      () => {
        gateway.status = status;
        gateway.script('start', { refuse: 'SESSION_STATE_CONFLICT', reason: 'final' });
        return open();
      },
    ]),
  ),
  'blocked.linkInvalid': () => open('broken'),
  'blocked.unsupported': async () => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'mediaDevices', { value: undefined }));
    await open();
  },
  'blocked.insecure': async () => {
    await page.addInitScript(() => Object.defineProperty(window, 'isSecureContext', { value: false }));
    await open();
  },
  'blocked.originNotAllowed': () => {
    gateway.script('start', { refuse: 'PERMISSION_DENIED', reason: 'origin' });
    return open();
  },
  'blocked.otherDevice': () => {
    gateway.page = { ...gateway.page, devices: ['tablet'] };
    return open();
  },
  'blocked.usedUp': (texts) => {
    gateway.script('begin', { refuse: 'SESSION_STATE_CONFLICT', reason: 'attempts' });
    return agree(texts);
  },
  'blocked.unknown': () => {
    gateway.script('start', { refuse: 'INTERNAL_ERROR' });
    return open();
  },
};

const SIZES = { phone: { width: 390, height: 700 }, desktop: { width: 1280, height: 800 } };
const cases = locales.enum.flatMap((locale) =>
  (Object.keys(SIZES) as (keyof typeof SIZES)[]).flatMap((size) =>
    Object.keys(STATES)
      .filter((state) => state !== 'handover' || size === 'desktop')
      .map((state) => [locale, size, state] as const),
  ),
);

test('every message has its state', () => {
  const names = textsOf('en').messages.map(({ name }) => name);
  expect(names.filter((name) => !(name in STATES))).toEqual([]);
});

test.each(cases)('%s, %s: %s has no violations and nothing clipped', async (locale, size, state) => {
  await newContext({ viewport: SIZES[size], locale, reducedMotion: 'reduce' });
  gateway.page = {
    locale: locale as Locale,
    hasReference: true,
    controller: {
      name: 'Example Bank AG',
      privacyUrl: 'https://app.example.com/privacy',
      contact: 'privacy@example.com',
    },
    alternative: { text: 'Visit a branch.', url: 'https://app.example.com/branches' },
  };
  gateway.returnUrl = 'https://app.example.com/done';
  const texts = textsOf(locale);
  await STATES[state]?.(texts);
  await sees(state.split(' ')[0] as string);
  expect(await violations(page)).toEqual([]);
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await overflow()).toBe(0);
  if (!state.startsWith('consent')) return;
  for (const part of [page.getByRole('checkbox'), page.getByRole('button', { name: texts.consent.action })]) {
    const box = await part.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(SIZES[size].height);
  }
});
