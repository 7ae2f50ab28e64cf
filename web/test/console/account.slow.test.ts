/**
 * An account in the console: its keys, its people and its settings.
 *
 * Slow: it manages an account in a browser with the whole service.
 */

import homeTexts from '../../content/console/home.json';
import keyTexts from '../../content/console/keys.json';
import memberTexts from '../../content/console/members.json';
import peopleTexts from '../../content/console/people.json';
import settingTexts from '../../content/console/settings.json';
import shellTexts from '../../content/console/shell.json';
import { fill } from '../../src/fill';
import { buttonOf, DESKTOP, PHONE } from '../visit';
import { expectAccessible, linkFor, newVisit, Person, password, poll, service, setUpStage } from './stage';

const { texts: keys } = keyTexts;
const { texts: members } = memberTexts;
const { texts: people } = peopleTexts;
const { texts: settings } = settingTexts;
const { texts: shell } = shellTexts;
const { texts: home } = homeTexts;

setUpStage();

let owner: Person;
beforeAll(async () => {
  owner = await Person.signUp('owner@example.com');
});
afterEach(() => expect(owner.errors).toEqual([]));

const row = (text: string) => owner.page.getByRole('row').filter({ hasText: text });
const dialog = () => owner.page.getByRole('dialog');
const confirm = (action: string) => dialog().getByRole('button', { name: action, exact: true }).click();
const callWith = (apiKey: string) =>
  fetch(`${service.url}/v1/usage`, { headers: { authorization: `Bearer ${apiKey}` } });

/** The key that the dialog shows once. */
async function shownKey(): Promise<string> {
  const apiKey = await owner.page.getByRole('region', { name: keys.made.label }).innerText();
  await expectAccessible(owner.page);
  await owner.page.keyboard.press('Escape');
  await buttonOf(owner.page, keys.made.action).click();
  return apiKey;
}

test('an owner creates a limited key, rolls it and revokes it', async () => {
  const { page, button } = owner;
  await owner.open('/keys');
  await owner.sees(keys.none.title);
  await expectAccessible(page);
  await button(keys.create.open).click();
  await expectAccessible(page);
  await page.getByLabel(keys.create.name).fill('Server (a)');
  await page.getByLabel(keys.create.mode, { exact: true }).selectOption('live');
  await page.getByLabel(keys.products.imageModeration).uncheck();
  await page.getByLabel(keys.create.cidrs).fill('nowhere');
  await page.getByLabel(keys.create.expires).fill('2099-12-31');
  await confirm(keys.create.action);
  await page.getByRole('alert').filter({ hasText: 'nowhere' }).waitFor();
  await page.getByLabel(keys.create.cidrs).fill('127.0.0.1, 192.0.2.0/24');
  await confirm(keys.create.action);
  const first = await shownKey();
  expect(first).toMatch(/^presenza_live_/);
  expect((await callWith(first)).status).toBe(200);
  await row('Server (a)').getByText(keys.statuses.active).waitFor();
  const [made] = await owner.call('GET', owner.path('/keys'));
  expect(made).toMatchObject({
    products: ['faceDetection', 'faceComparison', 'livenessVerification'],
    cidrs: ['127.0.0.1', '192.0.2.0/24'],
    lastUsedAt: expect.any(String),
  });
  expect(new Date(made.expiresAt).getFullYear()).toBe(2099);

  await page.getByRole('button', { name: `${keys.roll.open} Server (a)` }).click();
  await expectAccessible(page);
  await page.getByLabel(keys.roll.grace).selectOption('hour');
  await confirm(keys.roll.action);
  await owner.sees(keys.roll.oldUntil);
  const second = await shownKey();
  await row(keys.statuses.rolled).waitFor();
  expect([(await callWith(first)).status, (await callWith(second)).status]).toEqual([200, 200]);

  await row(keys.statuses.active)
    .getByRole('button', { name: `${keys.revocation.open} Server (a)` })
    .click();
  await page.getByLabel(fill(shell.confirmName, { name: 'Server (a)' })).fill('Server');
  await confirm(keys.revocation.action);
  expect(await dialog().count()).toBe(1);
  await page.getByLabel(fill(shell.confirmName, { name: 'Server (a)' })).fill('Server (a)');
  await expectAccessible(page);
  await confirm(keys.revocation.action);
  await row(keys.statuses.revoked).waitFor();
  await expectAccessible(page);
  expect((await callWith(second)).status).toBe(401);
});

test('a dialog stays open while a key is made, and shows the key', async () => {
  const { page, button } = owner;
  await owner.open('/keys');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/keys', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.continue();
  });
  await button(keys.create.open).click();
  await page.getByLabel(keys.create.name).fill('Slow');
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await confirm(keys.create.action);
  await sent;
  await page.keyboard.press('Escape');
  await page.mouse.click(1, 1);
  release();
  expect(await shownKey()).toMatch(/^presenza_test_/);
  await page.unroute('**/keys');
});

test('on phones, each cell of a table stands beside the name of its column', async () => {
  const { page } = owner;
  await page.setViewportSize(PHONE);
  await owner.open('/members');
  const cell = page.getByRole('cell', { name: members.roles.owner.label, exact: true });
  const shown = await cell.evaluate((element) => {
    const label = getComputedStyle(element, '::before');
    const room = Number.parseFloat(getComputedStyle(element).paddingLeft);
    return { column: (element as HTMLElement).dataset.column, fits: room >= Number.parseFloat(label.width) };
  });
  expect(shown).toEqual({ column: members.table.role, fits: true });
  await page.setViewportSize(DESKTOP);
});

test('an owner invites people, who join with a new sign-in or the one that they have', async () => {
  const { page, button } = owner;
  await owner.open('/members');
  await expectAccessible(page);
  const invite = async (email: string, role: string) => {
    await button(members.invitation.open).click();
    await page.getByLabel(people.email).fill(email);
    await page.getByLabel(members.table.role, { exact: true }).selectOption(role);
    await expectAccessible(page);
    await confirm(members.invitation.action);
    await owner.sees(fill(members.invitation.mailbox, { email }));
    await dialog().waitFor({ state: 'detached' });
    return linkFor(email);
  };
  const known = await Person.signUp('known@example.com');
  const viewerLink = await invite(known.email, 'viewer');
  const developerLink = await invite('new@example.com', 'developer');
  const { withdraw } = members.invitations;
  const mistakenLink = await invite('mistake@example.com', 'owner');
  await page.getByRole('button', { name: `${withdraw} mistake@example.com` }).click();
  await expectAccessible(page);
  await confirm(withdraw);
  await row('mistake@example.com').waitFor({ state: 'detached' });
  await row('new@example.com').getByText(owner.email).waitFor();

  // A new person, in the browser of somebody who is signed in.
  await known.page.goto(developerLink);
  await known.sees(fill(people.join.newPerson, { other: known.email }));
  await known.sees('new@example.com');
  await expectAccessible(known.page);
  const { page: fresh, context, errors } = await newVisit();
  await fresh.goto(mistakenLink);
  await fresh.getByRole('alert').filter({ hasText: 'has expired' }).waitFor();
  // A page that is open does not read another fragment.
  await fresh.goto('about:blank');
  await fresh.goto(developerLink);
  await fresh.getByText(members.roles.developer.label.toLowerCase()).waitFor();
  await expectAccessible(fresh);
  await fresh.getByLabel(people.newPassword.label).fill(password);
  await buttonOf(fresh, people.join.action).click();
  await fresh.getByRole('heading', { level: 1, name: home.title }).waitFor();

  // A known person, first in the browser of somebody else.
  await fresh.goto(viewerLink);
  await fresh.getByText(fill(people.join.other, { other: 'new@example.com', email: known.email })).waitFor();
  await buttonOf(fresh, people.signIn.action).click();
  await fresh.getByLabel(people.email).fill(known.email);
  await fresh.getByLabel(people.password).fill(password);
  await buttonOf(fresh, people.signIn.action).click();
  await buttonOf(fresh, people.join.action).click();
  await fresh.getByRole('heading', { level: 1, name: home.title }).waitFor();
  await fresh.getByRole('heading', { name: home.usage.title }).waitFor();
  expect(await fresh.getByRole('navigation').getByRole('combobox').inputValue()).toBe(owner.accountId);
  await expectAccessible(fresh);
  await fresh.getByRole('link', { name: shell.pages.keys, exact: true }).click();
  await fresh.getByRole('table').waitFor();
  expect(await buttonOf(fresh, keys.create.open).count()).toBe(0);

  await owner.open('/members');
  await page.getByRole('button', { name: `${members.change.open} new@example.com` }).click();
  await expectAccessible(page);
  await page.getByLabel(members.table.role, { exact: true }).selectOption('billing');
  await confirm(members.change.action);
  await row('new@example.com').getByText(members.roles.billing.label).waitFor();
  await owner.button(shell.notices.undo).click();
  await row('new@example.com').getByText(members.roles.developer.label).waitFor();
  await page.getByRole('button', { name: `${members.removal.action} new@example.com` }).click();
  await confirm(members.removal.action);
  await row('new@example.com').waitFor({ state: 'detached' });

  await fresh.getByRole('link', { name: shell.pages.members, exact: true }).click();
  await buttonOf(fresh, members.leaving.action).click();
  await fresh.getByRole('dialog').getByRole('button', { name: members.leaving.action }).click();
  await fresh.getByRole('heading', { level: 1, name: home.title }).waitFor();
  await button(members.leaving.action).click();
  await confirm(members.leaving.action);
  await page.getByRole('alert').filter({ hasText: 'An account needs an owner.' }).waitFor();
  await page.keyboard.press('Escape');
  expect([...errors, ...known.errors]).toEqual([]);
  await Promise.all([context.close(), known.leave()]);
});

test('an owner revokes at once what a removed member created', async () => {
  const { page } = owner;
  const former = await owner.invite('former@example.com', 'developer');
  const { apiKey } = await former.call('POST', former.path('/keys'), { name: 'Backend', mode: 'live' });
  const url = `https://receiver.example/${'t0ken'.repeat(40)}`;
  await former.call('POST', former.path('/webhooks'), { url });
  expect((await callWith(apiKey)).status).toBe(200);

  await owner.open('/members');
  await page.getByRole('button', { name: `${members.removal.action} ${former.email}` }).click();
  await confirm(members.removal.action);
  const { formerAccess } = members;
  await owner.sees(formerAccess.title);
  await row('Backend').getByText(url).waitFor();
  await expectAccessible(page);
  await row('Backend').getByRole('button', { name: formerAccess.revoke }).click();
  await expectAccessible(page);
  await confirm(formerAccess.revoke);
  await row('Backend').waitFor({ state: 'detached' });
  await poll('every gateway forgets the key', async () => (await callWith(apiKey)).status === 401);
  expect(await owner.call('GET', owner.path('/webhooks'))).toEqual([]);
  await former.leave();
});

test('an owner renames the account, reads its audit log and deletes it with a receipt', async () => {
  const { page, button } = owner;
  await owner.open('/settings');
  await page.getByLabel(settings.name.label).fill('Fish & Chips');
  await button(settings.name.action).click();
  await owner.sees(fill(settings.name.done, { name: 'Fish & Chips' }));
  await row(settings.audit.operations['members invite']).filter({ hasText: owner.email }).first().waitFor();
  await expectAccessible(page);

  await button(settings.deletion.action).click();
  await page.getByLabel(fill(shell.confirmName, { name: 'Fish & Chips' })).fill('Fish & Chips');
  await expectAccessible(page);
  await confirm(settings.deletion.action);
  await page.getByRole('heading', { name: shell.receipt.title }).waitFor();
  await expectAccessible(page);
  const number = await dialog()
    .getByText(/^rcpt_\w+$/)
    .innerText();
  await confirm(shell.close);
  const { mails } = await service.admin('mails', 'list');
  expect(mails[0]).toMatchObject({ to: owner.email, text: expect.stringContaining(number) });
  expect((await owner.call('GET', '/profile')).accounts).toEqual([]);

  await page.getByRole('heading', { level: 1, name: shell.noAccount.title }).waitFor();
  await expectAccessible(page);
  await button(shell.noAccount.action).click();
  await page.getByRole('heading', { level: 1, name: home.title }).waitFor();
  expect((await owner.call('GET', '/profile')).accounts).toMatchObject([{ plan: 'free', role: 'owner' }]);
});
