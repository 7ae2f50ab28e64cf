/**
 * The way from the site into the console, for somebody who signs in and out.
 *
 * Slow: it signs in with the whole service.
 */
import navigation from '../../content/navigation.json';
import { open, reload } from '../visit';
import { Person, service, setUpStage } from './stage';

setUpStage();

test('the header leads to the console from the first page of the console until sign-out', async () => {
  const { guest, member } = navigation.console;
  const person = await Person.signUp('ana@example.com');
  const { page } = person;
  const wayOf = (name: string) => page.locator('header').getByRole('link', { name, exact: true });
  await open(page, service.siteUrl);
  expect(await wayOf(guest).isVisible()).toBe(true);

  await person.open('/');
  expect(await page.evaluate(() => localStorage.getItem('visitor'))).toBe('member');
  await open(page, `${service.siteUrl}/pricing`);
  expect(await wayOf(guest).count()).toBe(0);
  await wayOf(member).click();
  await page.waitForURL('**/console');
  await page.getByRole('heading', { level: 1 }).waitFor();

  await person.call('POST', '/sign-out');
  await page.goto(`${service.siteUrl}/console`);
  await page.waitForURL('**/console/sign-in?**');
  expect(await page.evaluate(() => localStorage.getItem('visitor'))).toBeNull();
  await open(page, service.siteUrl);
  await reload(page);
  expect(await wayOf(member).count()).toBe(0);
  await wayOf(guest).click();
  await page.waitForURL('**/console/sign-in?**');
  expect(person.errors).toEqual([]);
});
