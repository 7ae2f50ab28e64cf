/**
 * The hosted page in Chromium: what it offers to people who do not get on.
 *
 * Slow: each test waits in a browser until a prompt has stood for a while.
 */
import texts from '../../content/verify/en.json';
import { violations } from '../visit';
import { button, consent, focused, gateway, newContext, open, page, sees, setUpStage } from './stage';

setUpStage();

const offer = () => page.locator('.offer');
const tipOf = (name: string) => texts.help.tips.find((tip) => tip.name === name)?.text ?? '';
const paper = () =>
  page
    .locator('presenza-liveness')
    .evaluate((element) => getComputedStyle(element).getPropertyValue('background-color'));

/** Opens the page and begins a capture. */
async function begin() {
  await open();
  await sees('consent');
  await consent();
  await gateway.called('frame');
}

test.each(['noFace', 'severalFaces', 'tooFar', 'tooClose', 'offCentre', 'tooBright'] as const)(
  'a person whose frames are %s for a while learns what helps',
  async (guidance) => {
    gateway.guidance = guidance;
    await begin();
    await offer().waitFor();
    expect(await offer().getByRole('status').textContent()).toBe(tipOf(guidance));
    await expectWays([texts.alternative.heading]);
  },
);

const expectWays = async (names: string[]) =>
  expect(await offer().getByRole('button').allTextContents()).toEqual(names);

test('a person in the dark gets a bright page, until the capture ends', async () => {
  await newContext({ colorScheme: 'dark' });
  gateway.guidance = 'tooDark';
  gateway.outcome = { status: 'started', hint: 'tooDark' };
  await begin();
  const dark = await paper();
  await offer().waitFor();
  expect(await offer().getByRole('status').textContent()).toBe(tipOf('tooDark'));
  expect([dark, await paper()]).toEqual(['rgb(13, 19, 28)', 'rgb(255, 255, 255)']);
  expect(await violations(page)).toEqual([]);
  gateway.guidance = 'ok';
  await sees('retry.tooDark');
  expect(await paper()).toBe(dark);
});

test('a person whose turn stays too small may move the device, and the next prompt takes the offer away', async () => {
  gateway.heldAt = 1;
  await begin();
  await offer().waitFor();
  expect(await offer().getByRole('status').textContent()).toBe(tipOf('movement'));
  await expectWays([texts.stillness.choose, texts.alternative.heading]);
  gateway.heldAt = 2;
  await offer().waitFor({ state: 'hidden' });
  await offer().waitFor();
  await button(texts.stillness.choose).click();
  await sees('stillness');
});

test('the focus moves from a button that goes away to the offer in its place, and then to the next step', async () => {
  gateway.heldAt = 1;
  await begin();
  await button(texts.stillness.action).focus();
  await offer().waitFor();
  expect((await focused()).text).toBe(texts.stillness.choose);
  gateway.heldAt = 2;
  await offer().waitFor({ state: 'hidden' });
  const step = texts.movements.find(({ name }) => name === gateway.movements[2])?.text;
  expect(await focused()).toEqual({ tag: 'H1', text: step });
});

test('a person at a desktop may continue on the phone', async () => {
  await newContext({ viewport: { width: 1280, height: 800 } });
  gateway.guidance = 'tooDark';
  await begin();
  await offer().waitFor();
  await button(texts.handover.action).click();
  await sees('handover');
  await button(texts.handover.back).click();
  await sees('paused.stopped');
});

test('another way is that of the account, and the capture begins again from there', async () => {
  gateway.page = { alternative: { text: 'Visit a branch.', url: 'https://app.example.com/branches' } };
  gateway.guidance = 'tooFar';
  await begin();
  await offer().waitFor();
  await button(texts.alternative.heading).click();
  await sees('otherWays');
  expect(await page.getByText('Visit a branch.').count()).toBe(1);
  const link = page.getByRole('link', { name: texts.alternative.action });
  expect(await link.getAttribute('href')).toBe('https://app.example.com/branches');
  gateway.guidance = 'ok';
  await button(texts.stillness.choose).click();
  await sees('ended.completed');
});

test('a capture that ran out of time says what would have helped', async () => {
  gateway.timeoutSeconds = 14;
  gateway.guidance = 'tooFar';
  await begin();
  await offer().waitFor();
  await sees('paused.timeout');
  expect(await page.getByText(tipOf('tooFar')).count()).toBe(1);
  await button(texts.alternative.heading).click();
  await sees('otherWays');
});
