/**
 * The hosted page in Chromium: leaving, and responses of the gateway.
 *
 * Slow: it opens the page of checks in a browser for each response of the API.
 */
import texts from '../../content/verify/en.json';
import { button, consent, gateway, open, page, sees, setUpStage, site } from './stage';

setUpStage();

describe('leaving', () => {
  test('asks for confirmation and cancels the session', async () => {
    gateway.returnUrl = 'https://app.example.com/done';
    await open();
    await sees('consent');
    await button(texts.leave).click();
    await sees('leaveAsked');
    await button('Stay').click();
    await sees('consent');
    expect(gateway.count('cancel')).toBe(0);
    await button(texts.leave).click();
    await button('Leave the check').click();
    await sees('ended.cancelled');
    const back = page.getByRole('link', { name: texts.return.action });
    expect(await back.getAttribute('href')).toContain('status=cancelled');
  });

  test('by navigation notifies the gateway without canceling', async () => {
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

  test('by closing the page notifies the gateway', async () => {
    await open();
    await sees('consent');
    await page.close({ runBeforeUnload: true });
    await gateway.called('leave');
    expect(gateway.calls).toEqual(['start', 'leave']);
  });

  test('by a reload notifies the gateway and starts again', async () => {
    await open();
    await sees('consent');
    await page.reload();
    await gateway.called('start', 2);
    await gateway.called('leave');
    await sees('consent');
  });
});

describe('the page shows that', () => {
  test.each([
    ['the link is invalid', { refuse: 'INVALID_API_KEY', reason: 'token' }, 'blocked.linkInvalid'],
    ['the data is erased', { refuse: 'NOT_FOUND', reason: 'session' }, 'blocked.linkInvalid'],
    ['the session expired', { refuse: 'SESSION_EXPIRED' }, 'ended.expired'],
    ['something went wrong', { refuse: 'INTERNAL_ERROR' }, 'blocked.unknown'],
  ] as const)('%s', async (_case, response, name) => {
    gateway.script('start', response);
    await open();
    await sees(name);
    if (name === 'blocked.unknown') await page.getByText('req_a8PnYw2GfUq6MxJv4EtKc0Ds').waitFor();
  });

  test('the session ended elsewhere', async () => {
    gateway.script('start', { refuse: 'SESSION_STATE_CONFLICT', reason: 'final' });
    gateway.status = 'failed';
    await open();
    await sees('ended.failed');
  });

  test('the account rejected the session', async () => {
    gateway.status = 'cancelled';
    await open();
    await sees('ended.cancelled');
  });

  test('a verdict is pending, and waits for it', async () => {
    gateway.status = 'checking';
    await open();
    await gateway.called('read');
    gateway.status = 'completed';
    await sees('ended.completed');
  });

  test('the check failed and may be retried', async () => {
    gateway.outcome = { status: 'started', hint: 'movement' };
    await open();
    await sees('consent');
    await consent();
    await sees('retry.movement');
    await page.getByText('2 tries left.').waitFor();
    gateway.outcome = { status: 'failed' };
    await button('Try again').click();
    await sees('ended.failed');
  });

  test('the device is locked out', async () => {
    gateway.script('begin', { refuse: 'RATE_LIMIT_EXCEEDED', reason: 'livenessAttempts', retryAfter: 60 });
    await open();
    await sees('consent');
    await consent();
    await sees('locked');
    expect(await page.getByText(/must wait until/).textContent()).toMatch(/until \d{1,2}:\d{2}/);
  });

  test('the device is locked out after this attempt, longer than the session lasts', async () => {
    const lockedUntil = new Date(Date.now() + 1_800_000).toISOString();
    gateway.outcome = { status: 'started', hint: 'retry', lockedUntil };
    await open();
    await sees('consent');
    await consent();
    await sees('lockedOut');
  });

  test('the link has no attempts left', async () => {
    gateway.script('begin', { refuse: 'SESSION_STATE_CONFLICT', reason: 'attempts' });
    await open();
    await sees('consent');
    await consent();
    await sees('blocked.usedUp');
    await page.close({ runBeforeUnload: true });
    await gateway.called('leave');
  });

  test('the data was erased while the consent is shown', async () => {
    await open();
    await sees('consent');
    gateway.script('start', { refuse: 'NOT_FOUND', reason: 'session' });
    await sees('blocked.linkInvalid');
  });

  test.each([-1, 1])('the link works although the clock of the device is %d h off', async (hours) => {
    await page.addInitScript((ms) => {
      const now = Date.now;
      Date.now = () => now() + ms;
    }, hours * 3_600_000);
    gateway.script('begin', { refuse: 'SERVICE_UNAVAILABLE', reason: 'overload', retryAfter: 1 });
    await open();
    await sees('consent');
    await consent();
    await sees('ended.completed');
  });

  test('the verdict is final although the response was lost', async () => {
    gateway.script('complete', { cut: true });
    await open();
    await sees('consent');
    await consent();
    await sees('ended.completed');
    expect(gateway.count('complete')).toBe(2);
  });
});
