/**
 * Tasks of the console with the keyboard alone: the focus is always on something.
 *
 * Slow: it uses the console in a browser with the whole service.
 */
import type { Page } from 'playwright-core';
import { type Receiver, received, startReceiver, status } from '../../../gateway/test/webhooks/receiver';
import requestTexts from '../../content/console/requests.json';
import webhookTexts from '../../content/console/webhooks.json';
import { fill } from '../../src/fill';
import { Person, poll, service, setUpStage } from './stage';

const { texts: requests } = requestTexts;
const { texts: webhooks } = webhookTexts;

/** A person presses two keys a second, so a task within 30 s takes so many at most. */
const mostKeys = 60;

setUpStage();

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

/** Presses keys, and counts them. After each key, something has the focus. */
class Keyboard {
  private keys = 0;

  constructor(private readonly page: Page) {}

  async press(key: string): Promise<void> {
    this.keys++;
    await this.page.keyboard.press(key);
    const isLost = () => document.activeElement === null || document.activeElement === document.body;
    // A page that opens or a dialog that closes moves the focus a moment later.
    await poll(`the focus is somewhere after ${key}`, async () => !(await this.page.evaluate(isLost)));
    expect(this.keys).toBeLessThanOrEqual(mostKeys);
  }

  /** Presses Tab until an element has the focus. */
  async tabTo(name: string | RegExp): Promise<void> {
    const matches = (text: string) => (typeof name === 'string' ? text === name : name.test(text));
    while (!matches(await this.page.evaluate(focusedName))) await this.press('Tab');
  }
}

const focusedName = () => {
  const focused = document.activeElement as HTMLElement | null;
  const label = focused && 'labels' in focused && (focused as HTMLInputElement).labels?.[0]?.innerText;
  return (label || focused?.getAttribute('aria-label') || focused?.innerText || '').trim();
};

async function keyOf(person: Person): Promise<string> {
  return (await person.call('POST', person.path('/keys'), { name: 'Server', mode: 'test' })).apiKey;
}

const send = (apiKey: string, path: string, body: object) =>
  fetch(`${service.url}/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('somebody finds and reads a failed request with the keyboard', async () => {
  const person = await Person.signUp('keyboard@example.com');
  const { page } = person;
  const apiKey = await keyOf(person);
  await send(apiKey, '/liveness', { testOutcome: 'live' });
  await send(apiKey, '/detect', { image: 'none' });
  const path = person.path('/requests?failed=true');
  await poll('the log has the request', async () => (await person.call('GET', path)).requests.length > 0);
  const keyboard = new Keyboard(page);
  await person.open('/requests');
  await page.locator('tbody').getByText('INVALID_IMAGE').waitFor();
  await keyboard.tabTo(requests.filter.status);
  // The first option that begins so is that of failed requests.
  await keyboard.press('F');
  await page.locator('tbody').getByText('/liveness').waitFor({ state: 'detached' });
  await keyboard.tabTo('POST /detect');
  await keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'POST /detect' });
  await panel.getByText('INVALID_IMAGE').first().waitFor();
  expect(await panel.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await keyboard.tabTo(fill(requests.detail.docs, { code: 'INVALID_IMAGE' }));
  await keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  expect(await page.evaluate(focusedName)).toBe('POST /detect');
  expect(person.errors).toEqual([]);
});

test('somebody sends a failed delivery again with the keyboard', async () => {
  const person = await Person.signUp('resender@example.com');
  const { page } = person;
  const { webhookId } = await person.call('POST', person.path('/webhooks'), { url: receiver.url });
  receiver.respond = status(410);
  await send(await keyOf(person), '/liveness', { testOutcome: 'live' });
  const letters = person.path('/webhook-dead-letters');
  await poll('a delivery failed', async () => (await person.call('GET', letters)).deliveries.length > 0);
  receiver.respond = received;
  // The response 410 disabled the endpoint.
  await person.call('POST', person.path(`/webhooks/${webhookId}/enable`), {});
  const keyboard = new Keyboard(page);
  await person.open(`/webhooks/${webhookId}?state=dead`);
  const button = page.locator('tbody').getByRole('button').first();
  await button.waitFor();
  await keyboard.tabTo(/^session\.\w+$/);
  await keyboard.press('Enter');
  await keyboard.tabTo(webhooks.replay.one);
  await keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: webhooks.states.delivered }).waitFor();
  await keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  expect(person.errors).toEqual([]);
});
