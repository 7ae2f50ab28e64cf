/** A new user goes from the home page to the first call, and on through the other first steps. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import consentTexts from '../../content/consent.json';
import homeTexts from '../../content/console/home.json';
import keyTexts from '../../content/console/keys.json';
import peopleTexts from '../../content/console/people.json';
import shellTexts from '../../content/console/shell.json';
import navigation from '../../content/navigation.json';
import { fill } from '../../src/fill';
import { bannerOf, buttonOf } from '../visit';
import { expectAccessible, linkFor, newVisit, password, service, setUpStage } from './stage';

const { texts: home } = homeTexts;
const { texts: people } = peopleTexts;
const { texts: keys } = keyTexts;
const { pages } = shellTexts.texts;

setUpStage();

/** Pastes a command into a terminal. */
const paste = async (command: string) => (await promisify(execFile)('sh', ['-c', command])).stdout;

const email = 'first-user@example.com';

test('a new user comes from the home page to the first successful call', async () => {
  const { page, context, errors } = await newVisit();
  await page.goto(service.siteUrl);
  await bannerOf(page).getByRole('button', { name: consentTexts.necessaryOnly }).click();
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: navigation.signUp.label, exact: true }).first().click();
  const tab = await opened;
  const region = (name: string) => tab.getByRole('region', { name, exact: true });
  const step = (title: string, status: string) =>
    tab.getByRole('listitem').filter({ has: tab.getByRole('heading', { name: title }), hasText: status });

  await tab.getByRole('heading', { level: 1, name: people.signUp.title }).waitFor();
  const { pathname, searchParams } = new URL(tab.url());
  expect(pathname).toBe('/console/sign-up');
  expect(searchParams.get('plan')).toBe(navigation.signUp.plan);
  await expectAccessible(tab);
  await tab.getByLabel(people.email).fill(email);
  await buttonOf(tab, people.signUp.action).click();
  await tab.getByText(fill(people.mailSent.mailbox.text, { email })).waitFor();
  await expectAccessible(tab);

  const link = await linkFor(email);
  expect(link).toMatch(`${service.siteUrl}/console/sign-up/confirm#`);
  await tab.goto(link);
  await tab.getByRole('heading', { level: 1, name: people.confirm.title }).waitFor();
  await expectAccessible(tab);
  await tab.getByLabel(people.newPassword.label).fill('password1234');
  await buttonOf(tab, people.confirm.action).click();
  await tab.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor();
  await tab.getByLabel(people.newPassword.label).fill(password);
  await buttonOf(tab, people.confirm.action).click();
  await tab.getByRole('heading', { level: 1, name: home.title }).waitFor();
  expect(new URL(tab.url()).pathname).toBe('/console');
  await step(home.key.title, home.open).waitFor();
  await expectAccessible(tab);

  await buttonOf(tab, home.key.action).click();
  const apiKey = await region(keys.made.label).innerText();
  expect(apiKey).toMatch(/^presenza_test_\w{36}$/);
  await step(home.key.title, home.done).waitFor();
  await expectAccessible(tab);

  const command = await region(home.call.command).innerText();
  expect(command).toContain(apiKey);
  const response = await paste(command);
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
  expect(JSON.parse(response.split('\r\n\r\n')[1] ?? '')).toMatchObject({ success: true });
  await step(home.call.title, home.done).waitFor();

  expect(await paste(await region(home.liveness.command).innerText())).toMatch(/^HTTP\/1\.1 200 /);
  await step(home.liveness.title, home.done).waitFor();

  await tab.getByRole('link', { name: pages.keys, exact: true }).click();
  const row = tab.getByRole('row').filter({ hasText: home.key.name });
  await row.getByText(keys.statuses.active).waitFor();
  await row.getByRole('cell').last().waitFor();
  // Expiry and last use.
  expect(await row.locator('time').count()).toBe(1);
  await expectAccessible(tab);
  expect(errors).toEqual([]);
  await context.close();
});
