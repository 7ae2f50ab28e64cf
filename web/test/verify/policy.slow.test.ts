/**
 * The hosted page in Chromium, in sessions whose policy asks more of it.
 *
 * Slow: it opens the page of checks in a browser for each policy.
 */
import texts from '../../content/verify/en.json';
import { button, consent, gateway, newContext, open, page, sees, setUpStage } from './stage';

setUpStage();

const background = () =>
  page.evaluate(
    () => getComputedStyle(document.querySelector('presenza-liveness') as Element).backgroundColor,
  );

test('warns of a light challenge, shows its colors during the capture and reports their time', async () => {
  // The first color lasts long enough for a frame, even on a machine under load.
  gateway.light = { colors: ['#ffb040', '#40a0ff'], colorMs: 4_000 };
  gateway.heldAt = 1;
  await open();
  await sees('consent');
  await page.getByText(texts.light.title).waitFor();
  const original = await background();
  await consent();
  await page.waitForFunction(() => {
    const element = document.querySelector('presenza-liveness') as Element;
    return getComputedStyle(element).backgroundColor === 'rgb(64, 160, 255)';
  });
  const frames = gateway.count('frame');
  await gateway.called('frame', frames + 3);
  gateway.heldAt = Number.POSITIVE_INFINITY;
  await sees('ended.completed');
  expect(await background()).toBe(original);
  const times = gateway.lights.map(Number);
  expect(times.filter((time) => !Number.isInteger(time))).toEqual([]);
  expect(Math.min(...times)).toBeLessThan(gateway.light.colorMs);
  // The second color stays.
  expect(Math.max(...times)).toBeGreaterThan(gateway.light.colorMs);
});

test('shows no colors without a light challenge', async () => {
  await open();
  await sees('consent');
  expect(await page.getByText(texts.light.title).count()).toBe(0);
  await consent();
  await sees('ended.completed');
  expect(new Set(gateway.lights)).toEqual(new Set([undefined]));
});

test('offers the link for a device of a kind that the session allows', async () => {
  gateway.script('begin', { refuse: 'PERMISSION_DENIED', reason: 'device' });
  await open();
  await sees('consent');
  await consent();
  await sees('blocked.otherDevice');
  await page.getByRole('button', { name: texts.copy.action }).waitFor();
});

test('continues on a phone, before consent and camera, if the session does not allow desktops', async () => {
  gateway.page = { devices: ['phone', 'tablet'] };
  await newContext({ viewport: { width: 1280, height: 800 } });
  await open();
  await sees('blocked.otherDevice');
  await button(texts.handover.action).click();
  await page.getByRole('img', { name: texts.handover.code }).waitFor();
  await button(texts.handover.back).click();
  await sees('blocked.otherDevice');
  await button(texts.handover.action).click();
  await gateway.called('read');
  gateway.status = 'completed';
  await sees('ended.completed');
  expect(gateway.calls).not.toContain('begin');
});
