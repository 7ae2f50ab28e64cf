/**
 * Webhooks in the console, from a new endpoint to the replay of an event, with a real receiver.
 *
 * Slow: it manages webhooks in a browser with the whole service.
 */

import accountEvents from '../../../gateway/contract/account-events.json';
import events from '../../../gateway/contract/events.json';
import {
  type Receiver,
  received,
  startReceiver,
  status,
  verified,
} from '../../../gateway/test/webhooks/receiver';
import webhookTexts from '../../content/console/webhooks.json';
import { expectAccessible, Person, service, setUpStage } from './stage';

const {
  add,
  secret,
  test: testing,
  edit,
  roll,
  enable,
  disable,
  remove,
  replay,
  fields,
  delivery,
} = webhookTexts.texts;

const eventTypes = [...events, ...accountEvents].map(({ id }) => id);

setUpStage();

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** A session of a test key that ends at once. */
async function endSession(person: Person): Promise<string> {
  const { apiKey } = await person.call('POST', person.path('/keys'), { name: 'Test', mode: 'test' });
  const reply = await fetch(`${service.url}/v1/liveness`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ metadata: { userId: 'user-4711' } }),
  });
  const { sessionId } = (await reply.json()).data;
  await person.call('POST', person.path(`/sessions/${sessionId}/cancel`), {});
  return sessionId;
}

test('an owner adds an endpoint, tests every event, and replays one that the receiver refused', async () => {
  const owner = await Person.signUp('owner@example.com');
  const { page, button } = owner;
  await owner.open('/webhooks');
  await owner.sees(webhookTexts.texts.none);
  await expectAccessible(page);

  // The page and its empty list both begin the task.
  await button(add.open).last().click();
  await owner.sees(webhookTexts.texts.noSync);
  await page.getByLabel(fields.url).fill('ftp://example.com');
  await button(add.action).last().click();
  await page.getByRole('alert').filter({ hasText: 'must be an https URL' }).waitFor();
  await page.getByLabel(fields.url).fill(receiver.url);
  await expectAccessible(page);
  await button(add.action).last().click();
  const first = await page.getByLabel(secret.label).innerText();
  expect(first).toMatch(/^whsec_/);
  await button(secret.done).click();
  await owner.sees(receiver.url);
  expect(await page.content()).not.toContain(first);

  await button(testing.open).first().click();
  for (const id of eventTypes) {
    await page.getByLabel(testing.event, { exact: true }).selectOption(id);
    await button(testing.action).click();
    await page.getByRole('status').filter({ hasText: 'Delivered: Status 200' }).waitFor();
  }
  await page.keyboard.press('Escape');
  await button(testing.open).first().and(page.locator(':focus')).waitFor();
  const tested = receiver.all.map((request) => verified(request, first).eventType);
  expect(tested).toEqual(eventTypes);

  await button(roll.open).click();
  await button(roll.action).last().click();
  expect(await page.getByLabel(secret.label).innerText()).not.toBe(first);
  await button(secret.done).click();
  await owner.sees(fields.earlierSecret);
  await button(edit.open).click();
  await page.getByLabel('session.started').uncheck();
  await button(edit.action).click();
  await owner.sees('session.expired, session.completed, session.failed, session.cancelled');

  receiver.respond = status(410);
  const sessionId = await endSession(owner);
  await receiver.count(eventTypes.length + 1);
  await page.reload();
  await owner.sees(webhookTexts.texts.disabled.gone);
  await owner.sees(webhookTexts.texts.states.dead);
  receiver.respond = received;
  await button(enable).click();
  await owner.sees(webhookTexts.texts.enabled);
  await button(replay.open).click();
  await page.getByLabel(replay.since, { exact: true }).fill('2026-01-01T00:00');
  await expectAccessible(page);
  await button(replay.action).click();
  await owner.sees(replay.done.replace('{count}', '1'));
  await page.keyboard.press('Escape');
  const again = (await receiver.count(eventTypes.length + 2)).at(-1)!;
  // Receivers still verify with the earlier secret during the grace period.
  expect(verified(again, first)).toMatchObject({ sessionId, metadata: { userId: 'user-4711' } });
  await page.getByLabel(webhookTexts.texts.deliveries.filter).selectOption('delivered');
  await button('session.cancelled').click();
  await owner.sees(delivery.payload);
  await page.getByRole('dialog').getByText(receiver.url).waitFor();
  await page.getByRole('dialog').getByRole('link', { name: sessionId }).waitFor();
  expect(await page.getByLabel(delivery.payload).innerText()).toMatch(sessionId);
  const attempts = page.getByRole('region', { name: delivery.attempts }).getByRole('row');
  expect(await attempts.allInnerTexts()).toEqual([
    expect.anything(),
    expect.stringMatching('Status 410'),
    expect.stringMatching('Status 200'),
  ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  await button(disable).click();
  await owner.sees(webhookTexts.texts.disabled.operator);
  await expectAccessible(page);
  await button(remove.action).click();
  await page.getByLabel(/to confirm$/).fill(new URL(receiver.url).host);
  await button(remove.action).last().click();
  await owner.sees(webhookTexts.texts.none);
  expect(owner.errors).toEqual([]);
});

test('a viewer sees endpoints and deliveries without payloads, and changes nothing', async () => {
  const owner = await Person.signUp('second-owner@example.com');
  const { webhookId } = await owner.call('POST', owner.path('/webhooks'), {
    url: 'http://localhost:9/hooks?token=t0ken',
  });
  const viewer = await owner.invite('viewer@example.com', 'viewer');
  await viewer.open('/webhooks');
  await viewer.page.getByRole('link', { name: 'http://localhost:9', exact: true }).click();
  await viewer.sees(fields.urlHidden);
  expect(await viewer.page.content()).not.toContain('t0ken');
  await viewer.sees(webhookTexts.texts.deliveries.none);
  for (const name of [testing.open, edit.open, roll.open, disable, replay.open, remove.action]) {
    expect(await viewer.button(name).count()).toBe(0);
  }
  const stranger = await Person.signUp('stranger@example.com');
  await stranger.open(`/webhooks/${webhookId}`);
  await stranger.sees(webhookTexts.texts.missing);
  expect([...viewer.errors, ...stranger.errors]).toEqual([]);
});
