/**
 * Liveness sessions and the request log in the console.
 *
 * Slow: it manages liveness sessions in a browser with the whole service.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import requestTexts from '../../content/console/requests.json';
import sessionTexts from '../../content/console/sessions.json';
import { fill } from '../../src/fill';
import { expectAccessible, Person, poll, service, setUpStage } from './stage';

const { texts } = sessionTexts;

setUpStage();

let owner: Person;
let apiKey: string;
beforeAll(async () => {
  owner = await Person.signUp('owner@example.com');
  ({ apiKey } = await owner.call('POST', owner.path('/keys'), { name: 'Server', mode: 'test' }));
});

async function api(path: string, body: object) {
  const response = await fetch(`${service.url}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** A session of a test key, which ends without a camera. */
async function endedSession(testOutcome: string, status: string, more: object = {}): Promise<string> {
  const { sessionId } = (await api('/liveness', { testOutcome, ...more })).data;
  const path = owner.path(`/sessions/${sessionId}`);
  await poll(`the session is ${status}`, async () => (await owner.call('GET', path)).status === status);
  return sessionId;
}

test('an owner starts a check of their own in test mode', async () => {
  const { page, button } = owner;
  await owner.open('/sessions');
  await button(texts.start.action).first().click();
  const link = page.getByRole('link', { name: texts.start.open });
  await link.waitFor();
  await expectAccessible(page);
  const [hosted] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await hosted.getByRole('checkbox').waitFor();
  const { sessions } = await owner.call('GET', owner.path('/sessions'));
  expect(sessions).toMatchObject([{ mode: 'test', keyId: 'console' }]);
  await owner.sees(sessions[0].sessionId);
  await page.getByRole('link', { name: sessions[0].sessionId }).click();
  await owner.sees(texts.timeline['session.started']);
  await hosted.close();
  await owner.call('DELETE', owner.path(`/sessions/${sessions[0].sessionId}`));
});

test('an owner finds a failed session, reads why it failed, and erases it', async () => {
  const { page, button } = owner;
  await owner.open('/sessions');
  await owner.sees(texts.none);
  const sessionId = await endedSession('spoof', 'failed');
  const { sessionId: open } = (await api('/liveness', {})).data;
  await button(texts.reload).click();
  await owner.sees(open);
  await expectAccessible(page);
  await page.getByLabel(texts.filter.mode).selectOption('live');
  await owner.sees(texts.noneOfFilter);
  await page.getByLabel(texts.filter.mode).selectOption('test');
  await page.getByLabel(texts.filter.status).selectOption('failed');
  await page.getByText(open).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: sessionId }).click();
  await owner.sees(texts.timeline['session.created']);
  await owner.sees(texts.verdicts.failed);
  await owner.sees(texts.result.meanings.failed);
  const steps = await page.getByRole('listitem').allInnerTexts();
  const attempt = `${fill(texts.timeline.attempt, { attempt: 1 })} ${texts.timeline.failed}`;
  expect(steps.join('\n')).toMatch(attempt);
  expect(steps.at(-1)).toMatch(texts.timeline['session.failed']);
  expect(steps.at(-1)).toMatch(texts.reasons.spoofSuspected);
  await button(texts.image.action).click();
  await owner.sees(texts.image.none);
  await expectAccessible(page);
  const { entries } = await owner.call('GET', owner.path('/audit'));
  expect(entries[0]).toMatchObject({ operation: 'sessions audit-image', ids: { session: sessionId } });

  await button(texts.erase.action).click();
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: texts.erase.action }).click();
  await owner.sees(open);
  expect(await page.getByText(sessionId).count()).toBe(0);

  await page.getByRole('link', { name: open }).click();
  await button(texts.cancel.action).click();
  await page.getByRole('dialog').getByRole('button', { name: texts.cancel.action }).click();
  await owner.sees(texts.timeline['session.cancelled']);
  expect(await button(texts.cancel.action).count()).toBe(0);
  expect(owner.errors).toEqual([]);
});

test('a session that passed shows its match, and the meaning of its confidence', async () => {
  const { page } = owner;
  const image = readFileSync(join(__dirname, '../../../gateway/contract/test-images/face.png'), 'base64');
  const imageToCompare = `data:image/png;base64,${image}`;
  const sessionId = await endedSession('noMatch', 'completed', { imageToCompare });
  await owner.open('/sessions');
  const row = page.getByRole('row').filter({ hasText: sessionId });
  await row.getByText(texts.verdicts.noMatch).waitFor();
  await row.getByRole('link').click();
  await owner.sees(texts.result.meanings.noMatch);
  await owner.sees(texts.result.matches.no);
  await owner.sees(texts.result.bands['0.97']);
  await expectAccessible(page);
  const viewer = await owner.invite('support@example.com', 'viewer');
  await viewer.open(`/sessions/${sessionId}`);
  await viewer.sees(texts.result.matches.no);
  expect(await viewer.page.getByText(texts.result.bands['0.97']).count()).toBe(0);
  await owner.call('DELETE', owner.path(`/sessions/${sessionId}`));
});

test('a viewer reads sessions and requests, but neither images nor changes', async () => {
  const viewer = await owner.invite('viewer@example.com', 'viewer');
  const { sessionId } = (await api('/liveness', {})).data;
  await viewer.open(`/sessions/${sessionId}`);
  await viewer.sees(texts.timeline['session.created']);
  for (const name of [texts.cancel.action, texts.erase.action, texts.image.action]) {
    expect(await viewer.button(name).count()).toBe(0);
  }
  const stranger = await Person.signUp('stranger@example.com');
  await stranger.open(`/sessions/${sessionId}`);
  await stranger.page.getByRole('button', { name: 'Try again' }).waitFor();
  expect(await stranger.page.getByText(texts.timeline.title).count()).toBe(0);
  expect([...viewer.errors, ...stranger.errors]).toEqual([]);
});

test('the address in an error leads to its request, and an unknown id to an explanation', async () => {
  const { page, button } = owner;
  const { filter, missing, table, detail, noneOfFilter } = requestTexts.texts;
  const { error, requestId } = await api('/detect', { image: 'none' });
  expect(error.requestLogUrl).toBe(`${service.siteUrl}/console/requests?requestId=${requestId}`);
  const row = page.getByRole('row').filter({ hasText: 'INVALID_IMAGE' });
  // The log is written a moment after the response.
  const path = owner.path(`/requests?requestId=${requestId}`);
  await poll('the log has the request', async () => (await owner.call('GET', path)).requests.length > 0);
  await page.goto(error.requestLogUrl);
  await row.getByText('Server (test)').waitFor();
  await expectAccessible(page);
  await row.getByRole('link').click();
  const panel = page.getByRole('dialog', { name: 'POST /detect' });
  await panel.waitFor();
  await expectAccessible(page);
  const link = panel.getByRole('link', { name: fill(detail.docs, { code: 'INVALID_IMAGE' }) });
  expect(await link.getAttribute('href')).toBe('/docs/api-reference/errors#invalid-image');
  for (const text of [detail.requestBytes, detail.responseBytes, detail.apiVersion, detail.stages.auth]) {
    await panel.getByText(text, { exact: true }).waitFor();
  }
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.getByRole('button', { name: requestId }).click();
  await panel.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(requestId);
  // The details have an address of their own.
  await page.reload();
  await panel.getByText('INVALID_IMAGE').first().waitFor();
  await page.keyboard.press('Escape');
  await row.getByRole('link').and(page.locator(':focus')).waitFor();
  expect(new URL(page.url()).search).toBe(`?requestId=${requestId}`);

  await button(filter.all).click();
  await page.getByRole('row').filter({ hasText: '/liveness' }).first().waitFor();
  await expectAccessible(page);
  await page.getByLabel(filter.status).selectOption('4xx');
  await page.getByRole('row').filter({ hasText: '/liveness' }).first().waitFor({ state: 'detached' });
  await page.getByLabel(filter.key).selectOption('console');
  await owner.sees(noneOfFilter);
  expect(new URL(page.url()).search).toBe('?status=4xx&key=console');
  await button(filter.clear).click();
  await page.getByRole('row').filter({ hasText: '/liveness' }).first().waitFor();
  await page.getByLabel(table.requestId, { exact: true }).fill('req_unknown');
  await button(filter.find).click();
  await owner.sees(fill(missing.title, { requestId: 'req_unknown' }));
  await expectAccessible(page);
  expect(owner.errors).toEqual([]);
});
