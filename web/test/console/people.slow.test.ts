/**
 * People in the console: passkeys, the second factor, links by mail, and the profile. Passkeys need a name in place
 * of an address.
 *
 * Slow: several people use the console in browsers of their own.
 */
import { Redis } from 'ioredis';
import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import billingTexts from '../../content/console/billing.json';
import homeTexts from '../../content/console/home.json';
import peopleTexts from '../../content/console/people.json';
import profileTexts from '../../content/console/profile.json';
import shellTexts from '../../content/console/shell.json';
import { fill } from '../../src/fill';
import { buttonOf } from '../visit';
import { expectAccessible, linkFor, newVisit, Person, password, service, setUpStage } from './stage';

const { texts: billing } = billingTexts;
const { texts: people } = peopleTexts;
const { texts: profile } = profileTexts;
const { texts: shell } = shellTexts;
const { texts: home } = homeTexts;

setUpStage({}, 'localhost');

const titled = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const alert = (page: Page, hasText: string) => page.getByRole('alert').filter({ hasText }).waitFor();
async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(`${service.siteUrl}/console${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** A device that verifies the person by itself. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function openMenu(page: Page): Promise<void> {
  await page
    .getByRole('banner')
    .getByRole('button', { name: shell.accountMenu.split(',')[0] ?? '' })
    .click();
  await page.getByRole('menu').waitFor();
}

async function signOut(page: Page): Promise<void> {
  await openMenu(page);
  await page.getByRole('menuitem', { name: shell.signOut }).click();
  await titled(page, people.signIn.title);
}

async function enterPassword(page: Page, email: string, secret = password): Promise<void> {
  await page.getByLabel(people.email).fill(email);
  await page.getByLabel(people.password).fill(secret);
  await buttonOf(page, people.signIn.action).click();
}

test('a person signs up, in and back in with a passkey alone', async () => {
  const { page, context, errors } = await newVisit();
  await addAuthenticator(page);
  const email = 'passkey@example.com';
  await openPage(page, '/sign-up?plan=growth');
  await page.getByText(fill(people.signUp.plan, { plan: 'Growth' })).waitFor();
  const installation = { host: new URL(service.siteUrl).host, brand: 'Presenza' };
  await page.getByText(fill(people.signUp.lead, installation)).waitFor();
  await page.getByLabel(people.email).fill(email);
  await buttonOf(page, people.signUp.action).click();
  await titled(page, people.mailSent.mailbox.title);
  await buttonOf(page, people.mailSent.again).click();
  await page.getByText(people.mailSent.sentAgain).waitFor();

  const link = await linkFor(email);
  await page.goto(link);
  await buttonOf(page, people.usePasskey).click();
  await page.getByLabel(people.passkeyName.label).fill('Laptop');
  await expectAccessible(page);
  await buttonOf(page, people.confirm.action).click();
  // The plan of the link has a price, so that it is confirmed first.
  const question = page.getByRole('dialog', { name: fill(billing.change.title, { plan: 'Growth' }) });
  await question.getByText(billing.change.nothingYet).waitFor();
  await expectAccessible(page);
  await question.getByRole('button', { name: fill(billing.change.stay, { from: 'Free' }) }).click();
  await titled(page, billing.title);
  expect(await page.getByText(billing.plans.requested, { exact: true }).count()).toBe(0);

  await signOut(page);
  await expectAccessible(page);
  await buttonOf(page, people.signIn.passkey).click();
  // Back on the page where they signed out.
  await titled(page, billing.title);
  await openMenu(page);
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: shell.pages.profile }).click();
  await page.getByText(profile.password.none).waitFor();
  await page.getByRole('rowheader', { name: 'Laptop' }).waitFor();
  await expectAccessible(page);
  await buttonOf(page, profile.passkeys.add).click();
  await expectAccessible(page);
  await buttonOf(page, profile.passkeys.addition.action).click();
  await alert(page, people.passkeyKnown);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `${profile.passkeys.remove} Laptop` }).click();
  await buttonOf(page, profile.passkeys.removal.action).click();
  await alert(page, 'This is your last way to sign in.');
  await page.keyboard.press('Escape');

  await signOut(page);
  await page.goto(link);
  await page.getByLabel(people.newPassword.label).fill(password);
  await buttonOf(page, people.confirm.action).click();
  await alert(page, 'This link has expired or was already used.');
  expect(errors).toEqual([]);
  await context.close();
});

test('a person adds an authenticator app, and signs in with its code or with a recovery code', async () => {
  const { page, email, errors, leave, open } = await Person.signUp('codes@example.com');
  await open('/profile');
  await buttonOf(page, profile.codes.add).click();
  await page.getByRole('img', { name: profile.codes.setUp.qrCode }).waitFor();
  await expectAccessible(page);
  const { setUp, recovery } = profile.codes;
  const secret = await page.getByRole('region', { name: setUp.secret }).innerText();
  await page.getByLabel(setUp.code).fill('000000');
  await buttonOf(page, setUp.action).click();
  await alert(page, 'The code is wrong');
  await page.getByLabel(setUp.code).fill(generateSync({ secret }));
  await buttonOf(page, setUp.action).click();
  const codes = (await page.getByRole('region', { name: recovery.title }).innerText()).split('\n');
  expect(codes).toHaveLength(10);
  await expectAccessible(page);
  await buttonOf(page, recovery.action).click();
  await page.getByText(fill(profile.codes.isOn, { count: codes.length })).waitFor();

  await signOut(page);
  await enterPassword(page, email, 'not the password');
  await alert(page, 'is wrong.');
  await enterPassword(page, email);
  await titled(page, people.code.title);
  await expectAccessible(page);
  await page.getByLabel(people.code.label).fill('not a code');
  await buttonOf(page, people.code.action).click();
  await alert(page, 'The code is wrong');
  await page.getByLabel(people.code.label).fill(codes[0] ?? '');
  await buttonOf(page, people.code.action).click();
  await titled(page, profile.title);
  await page.getByText(fill(profile.codes.isOn, { count: codes.length - 1 })).waitFor();

  await buttonOf(page, profile.codes.remove).click();
  await page.getByRole('dialog').getByRole('button', { name: profile.codes.removal.action }).click();
  await page.getByText(profile.codes.isOff).waitFor();
  expect(errors).toEqual([]);
  await leave();
});

/** Makes the sign-in of a person as old as one that no longer suffices to change credentials. */
async function age(person: Person): Promise<void> {
  const cookies = await person.page.context().cookies();
  const id = cookies.find(({ name }) => name === 'presenza-console')?.value.split('.')[0];
  const redis = new Redis(service.redisUrl);
  const key = `presenza:{console}:sign-in:${id}`;
  const record = JSON.parse((await redis.hget(key, 'record')) ?? '');
  const startedAt = record.startedAt - 15 * 60_000;
  await redis.hset(key, 'record', JSON.stringify({ ...record, startedAt }));
  redis.disconnect();
}

async function changePassword(page: Page): Promise<void> {
  await page.getByLabel(profile.password.current).fill(password);
  await page.getByLabel(people.newPassword.label).fill('a wholly different passphrase 7');
  await buttonOf(page, profile.password.change).click();
}

test('changes of credentials need a recent sign-in, which a dialog asks for above the form', async () => {
  const person = await Person.signUp('recent@example.com');
  const { page, errors, leave, open } = person;
  await open('/profile');
  await age(person);
  await changePassword(page);
  const dialog = page.getByRole('dialog', { name: shell.recent.title });
  await dialog.getByLabel(people.password).waitFor();
  await expectAccessible(page);
  // Without a sign-in, the form keeps what was typed, and says what is missing.
  await page.keyboard.press('Escape');
  await alert(page, 'Sign in again');
  expect(await page.getByLabel(people.newPassword.label).inputValue()).not.toBe('');
  await expectAccessible(page);
  await page.getByRole('alert').getByRole('button', { name: shell.recent.action }).click();
  await dialog.getByLabel(people.password).fill('not the password');
  await dialog.getByRole('button', { name: shell.recent.confirm }).click();
  await alert(page, 'is wrong.');
  await dialog.getByLabel(people.password).fill(password);
  await page.keyboard.press('Enter');
  // The action goes on by itself.
  await page.getByText(profile.password.done).first().waitFor();
  expect(await page.getByLabel(people.newPassword.label).inputValue()).toBe('');
  await age(person);
  await open('/profile');
  await page.getByText(profile.old).waitFor();
  expect(errors).toEqual([]);
  await leave();
});

test('a person with a passkey who signed in with a password confirms changes with the passkey', async () => {
  const { page, email, errors, leave, open } = await Person.signUp('both@example.com');
  await addAuthenticator(page);
  await open('/profile');
  await buttonOf(page, profile.passkeys.add).click();
  await buttonOf(page, profile.passkeys.addition.action).click();
  const remove = page.getByRole('row').getByRole('button', { name: profile.passkeys.remove });
  await remove.waitFor();
  await signOut(page);
  await enterPassword(page, email);
  await titled(page, profile.title);
  await remove.click();
  await buttonOf(page, profile.passkeys.removal.action).click();
  const dialog = page.getByRole('dialog', { name: shell.recent.title });
  await dialog.getByRole('button', { name: shell.recent.passkey }).waitFor();
  expect(await dialog.getByLabel(people.password).count()).toBe(0);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: shell.recent.passkey }).click();
  await page.getByText(profile.passkeys.none).waitFor();
  await page.getByText(profile.old).waitFor({ state: 'detached' });
  expect(errors).toEqual([]);
  await leave();
});

test('the deletion of a profile goes on after the sign-in that it asks for', async () => {
  const person = await Person.signUp('deletes@example.com');
  const { page, email, errors, leave, open } = person;
  await open('/profile');
  await age(person);
  await buttonOf(page, profile.deletion.action).click();
  const typed = page.getByLabel(fill(shell.confirmName, { name: email }));
  await typed.fill(email);
  await page.getByRole('dialog').getByRole('button', { name: profile.deletion.action }).click();
  const identity = page.getByRole('dialog', { name: shell.recent.title });
  await identity.getByLabel(people.password).fill(password);
  await identity.getByRole('button', { name: shell.recent.confirm }).click();
  await page.getByRole('heading', { name: shell.receipt.title }).waitFor();
  expect(errors).toEqual([]);
  await leave();
});

test('a person changes the address, chooses a new password by link and ends another sign-in', async () => {
  const { page, errors, leave, open } = await Person.signUp('moves@example.com');
  const email = 'moved@example.com';
  await open('/profile');
  await page.getByLabel(profile.email.label).fill(email);
  await buttonOf(page, profile.email.action).click();
  await page.getByText(fill(people.mailSent.mailbox.text, { email })).waitFor();
  const link = await linkFor(email);
  await page.goto(link);
  await titled(page, profile.newEmail.title);
  await expectAccessible(page);
  await buttonOf(page, profile.newEmail.action).click();
  await page.getByText(fill(profile.newEmail.changed, { email })).waitFor();

  const other = await newVisit();
  await openPage(other.page, '/reset');
  await expectAccessible(other.page);
  await other.page.getByLabel(people.email).fill(email);
  await buttonOf(other.page, people.reset.action).click();
  await titled(other.page, people.mailSent.mailbox.title);
  await expectAccessible(other.page);
  await other.page.goto(await linkFor(email));
  await titled(other.page, people.reset.choose.title);
  await expectAccessible(other.page);
  const secret = 'a wholly different passphrase 7';
  await other.page.getByLabel(people.newPassword.label).fill(secret);
  await buttonOf(other.page, people.reset.choose.action).click();
  await titled(other.page, people.reset.done.title);
  await other.page.getByRole('link', { name: people.signIn.action }).click();
  await enterPassword(other.page, email, secret);
  await titled(other.page, home.title);

  // The new password signed this browser out.
  await openPage(page, '/profile');
  await enterPassword(page, email, secret);
  await titled(page, profile.title);
  const browsers = page.getByRole('region', { name: profile.signIns.title }).getByRole('row');
  await browsers.filter({ hasText: profile.signIns.this }).getByText('Chrome on Linux').waitFor();
  await browsers.getByRole('button', { name: profile.signIns.end }).click();
  await page
    .getByText(fill(profile.signIns.ended, { browser: 'Chrome on Linux' }))
    .first()
    .waitFor();
  await browsers.getByRole('button').waitFor({ state: 'detached' });
  await openPage(other.page, '/keys');
  await titled(other.page, people.signIn.title);
  expect([...errors, ...other.errors]).toEqual([]);
  await Promise.all([leave(), other.context.close()]);
});

test('a tab shows the person who signed in in another tab, because both have the same cookie', async () => {
  const { page, email, errors, leave, open } = await Person.signUp('tab-one@example.com');
  const other = await Person.signUp('tab-two@example.com');
  await other.leave();
  await open('/profile');
  await page.getByText(email).waitFor();
  const tab = await page.context().newPage();
  await openPage(tab, '/profile');
  await signOut(tab);
  await titled(page, people.signIn.title);
  await enterPassword(tab, other.email);
  for (const shown of [tab, page]) {
    await titled(shown, profile.title);
    await shown.getByText(other.email).waitFor();
    expect(await shown.getByText(email).count()).toBe(0);
  }
  expect(errors).toEqual([]);
  await leave();
});

test('a person learns that signing out failed, because the browser is still signed in', async () => {
  const { page, leave, open } = await Person.signUp('offline@example.com');
  await open('/profile');
  await openMenu(page);
  await page.context().setOffline(true);
  await page.getByRole('menuitem', { name: shell.signOut }).click();
  await alert(page, shell.unreachable);
  await page.context().setOffline(false);
  await signOut(page);
  await leave();
});

test('a person deletes everything, and gets a receipt', async () => {
  const { page, email, errors, leave, open } = await Person.signUp('leaves@example.com');
  await open('/profile');
  await buttonOf(page, profile.deletion.action).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(fill(shell.confirmName, { name: email })).fill(email);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: profile.deletion.action }).click();
  await page.getByRole('heading', { name: shell.receipt.title }).waitFor();
  await dialog.getByText(/^rcpt_\w+$/).waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: shell.close }).click();
  await titled(page, people.signIn.title);
  await enterPassword(page, email);
  await alert(page, 'is wrong.');
  expect(errors).toEqual([]);
  await leave();
});
