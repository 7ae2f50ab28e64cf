/**
 * The hosted page in Chromium: other devices, other movements, and the next steps from each final screen.
 *
 * Slow: it opens the page of checks in a browser for each end of a session.
 */
import type { Page } from 'playwright-core';
import texts from '../../content/verify/en.json';
import { failCamera } from './browser';
import { button, consent, gateway, newContext, open, page, sees, setUpStage, site } from './stage';

setUpStage();

const DESKTOP = { viewport: { width: 1280, height: 800 } };
const alternative = { text: 'Visit a branch.', url: 'https://app.example.com/branches' };
const returnUrl = 'https://app.example.com/done';
const link = (name: string) => page.getByRole('link', { name, exact: true });

describe('a check that continues on a phone', () => {
  /** Opens the code on a desktop, and its link on a phone. */
  async function handOver(): Promise<Page> {
    await newContext(DESKTOP);
    await open();
    await sees('consent');
    await button(texts.handover.action).click();
    await page.getByRole('img', { name: texts.handover.code }).waitFor();
    const browser = page.context().browser();
    const phone = await browser?.newContext({ viewport: { width: 390, height: 844 } });
    const other = (await phone?.newPage()) as Page;
    await other.goto(`${site.url}/verify?handover=1#${gateway.link}`);
    return other;
  }

  test('is followed by the desktop, which returns at the end, and not the phone', async () => {
    gateway.returnUrl = returnUrl;
    const phone = await handOver();
    try {
      await phone.locator('[data-name="consent"]').waitFor();
      await gateway.called('read');
      await page.getByText(texts.handover.waiting).waitFor();
      await phone.getByRole('checkbox').check();
      await phone.getByRole('button', { name: texts.consent.action, exact: true }).click();
      await phone.locator('[data-name="ended.completed"]').waitFor();
      await phone.getByText(texts.return.close).waitFor();
      expect(await phone.getByRole('link', { name: texts.return.action }).count()).toBe(0);
      await sees('ended.completed');
      expect(await link(texts.return.action).getAttribute('href')).toBe(
        `${returnUrl}?sessionId=${gateway.sessionId}&status=completed`,
      );
      expect(gateway.calls).not.toContain('cancel');
    } finally {
      await phone.context().close();
    }
  });

  test('is not left when the waiting desktop closes', async () => {
    const phone = await handOver();
    try {
      await phone.locator('[data-name="consent"]').waitFor();
      await gateway.called('read');
      await page.goto('about:blank');
      await phone.getByRole('checkbox').check();
      await phone.getByRole('button', { name: texts.consent.action, exact: true }).click();
      await phone.locator('[data-name="ended.completed"]').waitFor();
      expect(gateway.calls).not.toContain('leave');
    } finally {
      await phone.context().close();
    }
  });

  test('stays open at the desktop when the phone closes', async () => {
    const phone = await handOver();
    await phone.locator('[data-name="consent"]').waitFor();
    // A closing context would end the call that its page sends last.
    await phone.goto('about:blank');
    await gateway.called('leave');
    await phone.context().close();
    await gateway.called('start', gateway.count('start') + 1);
    await page.getByText(texts.handover.waiting).waitFor();
  });

  test('is offered without a camera, can be declined, and never on a phone', async () => {
    await newContext(DESKTOP);
    await failCamera(page, { name: 'NotFoundError', message: '' });
    await open();
    await sees('consent');
    await consent();
    await sees('cameraProblem.none');
    await button(texts.handover.action).click();
    await sees('handover');
    await button(texts.handover.back).click();
    await sees('cameraProblem.none');
    await newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await open();
    await sees('consent');
    expect(await button(texts.handover.action).count()).toBe(0);
  });
});

test('a person who cannot turn the head moves the device', async () => {
  gateway.heldAt = 1;
  gateway.page = { alternative };
  await open();
  await sees('consent');
  await consent();
  const turn = texts.movements.find(({ name }) => name === gateway.movements[1])?.text as string;
  await page.getByRole('heading', { level: 1, name: turn }).waitFor();
  await button(texts.stillness.action).click();
  await sees('stillness');
  expect(await link(texts.alternative.action).getAttribute('href')).toBe(alternative.url);
  await button(texts.stillness.choose).click();
  const move = texts.deviceMovements.find(({ name }) => name === gateway.movements[1])?.text as string;
  await page.getByRole('heading', { level: 1, name: move }).waitFor();
  expect(await page.locator('.arrow').getAttribute('data-movement')).toBe('right');
  gateway.heldAt = Number.POSITIVE_INFINITY;
  await sees('ended.completed');
});

describe('a person who moves the device', () => {
  const textOf = (entries: readonly { name: string; text: string }[], name: string) =>
    entries.find((entry) => entry.name === name)?.text as string;

  async function moveDevice() {
    await open();
    await sees('consent');
    await button(texts.stillness.action).click();
    await button(texts.stillness.choose).click();
    await page.getByText(texts.stillness.chosen).waitFor();
    await consent();
  }

  test('is asked for the straight position of the device, not of the head', async () => {
    gateway.guidance = 'turned';
    await moveDevice();
    const text = textOf(texts.deviceMovements, 'centre');
    await page.getByRole('status').filter({ hasText: text }).waitFor();
    expect(await page.getByText(textOf(texts.guidance, 'turned')).count()).toBe(0);
  });

  test('learns how to move it when a try failed or timed out', async () => {
    gateway.outcome = { status: 'started', hint: 'movement' };
    await moveDevice();
    await sees('retry.movement');
    const tip = textOf(texts.help.tips, 'deviceMovement');
    expect(await page.getByText(tip).count()).toBe(1);
    gateway.timeoutSeconds = 1;
    gateway.stuck = true;
    await button('Try again').click();
    await sees('paused.timeout');
    expect(await page.getByText(tip).count()).toBe(1);
  });
});

describe('the page offers a next step', () => {
  test('after a lock-out that is longer than the session', async () => {
    gateway.returnUrl = returnUrl;
    gateway.page = { alternative };
    gateway.script('begin', { refuse: 'RATE_LIMIT_EXCEEDED', reason: 'livenessAttempts', retryAfter: 1800 });
    await open();
    await sees('consent');
    await consent();
    await sees('lockedOut');
    expect(await link(texts.return.action).getAttribute('href')).toBe(
      `${returnUrl}?sessionId=${gateway.sessionId}&status=started`,
    );
    await page.getByText(alternative.text).waitFor();
    expect(await button('Try again').count()).toBe(0);
  });

  test('after a session that ended before', async () => {
    gateway.returnUrl = 'myapp://done';
    gateway.status = 'failed';
    gateway.script('start', { refuse: 'SESSION_STATE_CONFLICT', reason: 'final' });
    await open();
    await sees('ended.failed');
    expect(await link(texts.return.action).getAttribute('href')).toBe(
      `myapp://done?sessionId=${gateway.sessionId}&status=failed`,
    );
  });

  test('after a check that did not pass, and after one that the person left', async () => {
    gateway.returnUrl = returnUrl;
    gateway.page = { alternative };
    gateway.outcome = { status: 'failed' };
    await open();
    await sees('consent');
    await consent();
    await sees('ended.failed');
    await link(texts.return.action).waitFor();
    await link(texts.alternative.action).waitFor();
    await newContext();
    gateway.status = 'started';
    await open();
    await sees('consent');
    await button(texts.leave).click();
    await button(texts.messages.find(({ name }) => name === 'leaveAsked')?.action as string).click();
    await sees('ended.cancelled');
    await link(texts.return.action).waitFor();
  });
});
