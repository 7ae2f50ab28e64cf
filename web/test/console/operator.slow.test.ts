/**
 * Operators manage accounts in the console. Nobody else finds these pages.
 *
 * Slow: an operator uses the console in a browser with the whole service.
 */
import operatorTexts from '../../content/console/operator.json';
import settingsTexts from '../../content/console/settings.json';
import shellTexts from '../../content/console/shell.json';
import { fill } from '../../src/fill';
import { expectAccessible, Person, password, service, setUpStage, ticketFor } from './stage';

const { texts } = operatorTexts;

setUpStage();

let operator: Person;
let customer: Person;
beforeAll(async () => {
  operator = await Person.signUpOperator('operator@example.com');
  customer = await Person.signUp('customer@example.com');
  await customer.call('POST', customer.path('/keys'), { name: 'Server', mode: 'live' });
});
afterEach(() => expect([...operator.errors, ...customer.errors]).toEqual([]));

const row = (text: string) => operator.page.getByRole('row').filter({ hasText: text });
const link = (navigation: string, name: string) =>
  operator.page.getByRole('navigation', { name: navigation, exact: true }).getByRole('link', { name });
const part = (name: string) => link(texts.account.navigation, name);
const show = () => service.admin('accounts', 'show', '--account', customer.accountId);

/** Confirms the dialog that asks before a change. */
async function confirm(action: string, name?: string) {
  const dialog = operator.page.getByRole('dialog');
  if (name !== undefined) await dialog.getByRole('textbox').fill(name);
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

test('an operator finds an account, and changes its plan, its terms and its state', async () => {
  const { page, button } = operator;
  await service.admin('accounts', 'create', '--name', 'Another shop', '--plan', 'basic');
  await operator.open('/operator');
  await row('Another shop').waitFor();
  await expectAccessible(page);
  await page.getByLabel(texts.accounts.find).fill(customer.email);
  await button(texts.accounts.search).click();
  await row('Another shop').waitFor({ state: 'detached' });
  const { name } = await customer.call('GET', customer.path(''));
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.getByRole('heading', { name: texts.usage.title }).waitFor();
  await expectAccessible(page);

  await page.getByLabel(texts.plan.choice, { exact: true }).selectOption('growth');
  await button(texts.plan.save).click();
  await operator.sees(fill(texts.plan.changed, { plan: 'Growth' }));
  // The form starts anew once the account has the new plan, which has prices.
  await page.getByLabel(texts.terms.imageOverage).waitFor();
  await page.getByLabel(texts.terms.imageAnalysis).fill('5');
  await page.getByLabel(texts.terms.burst).fill('7');
  await button(texts.terms.save).click();
  await operator.sees(texts.terms.both);
  await page.getByLabel(texts.terms.window).fill('2');
  await page.getByLabel(texts.terms.imageOverage).fill('0.5');
  await button(texts.terms.save).click();
  await button(texts.terms.clear).waitFor();
  expect(await show()).toMatchObject({
    plan: 'growth',
    overrides: {
      quota: { imageAnalysis: 5 },
      overage: { imageAnalysis: 0.5 },
      burst: { limit: 7, windowSeconds: 2 },
    },
  });
  await button(texts.terms.clear).click();
  await button(texts.terms.clear).waitFor({ state: 'detached' });
  expect(await show()).not.toHaveProperty('overrides');

  await button(texts.account.suspend.action).click();
  await expectAccessible(page);
  await confirm(texts.account.suspend.action);
  await button(texts.account.resume.action).waitFor();
  expect(await show()).toMatchObject({ suspended: true });
  await button(texts.account.resume.action).click();
  await confirm(texts.account.resume.action);
  await button(texts.account.suspend.action).waitFor();

  await page.getByRole('link', { name: texts.pages.accounts, exact: true }).click();
  await button(texts.accounts.create).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(texts.accounts.name).fill('Third shop');
  await dialog.getByRole('button', { name: texts.accounts.create }).click();
  await page.getByRole('heading', { level: 1, name: 'Third shop' }).waitFor();
});

test('an operator sees what an account has, and revokes a key', async () => {
  const { page } = operator;
  await customer.call('POST', customer.path('/webhooks'), { url: 'http://localhost:9/hook' });
  await operator.open(`/operator/accounts/${customer.accountId}/keys`);
  await row('Server').waitFor();
  await expectAccessible(page);
  await row('Server').getByRole('button', { name: texts.keys.revoke.action }).click();
  await confirm(texts.keys.revoke.action, 'Server');
  await row(texts.keys.states.revoked).waitFor();

  await part(texts.account.parts.webhooks).click();
  await row('http://localhost:9/hook').waitFor();
  await expectAccessible(page);
  await row(texts.webhooks.enabled).getByRole('button').click();
  await row(texts.webhooks.disabled).waitFor();
  await part(texts.account.parts.sessions).click();
  await operator.sees(texts.sessions.none);
  await part(texts.account.parts.requests).click();
  await operator.sees(texts.requests.none);
  await part(texts.account.parts.audit).click();
  const entry = row(settingsTexts.texts.audit.operations['keys revoke']).filter({
    hasText: settingsTexts.texts.audit.outcomes.done,
  });
  const { userId } = await operator.call('GET', '/profile');
  await entry.getByText(`operator:${userId}`).waitFor();
  await expectAccessible(page);
});

test('an operator reads plans, the audit log of all and mails, and makes and removes operators', async () => {
  const { page, button } = operator;
  await operator.open('/operator');
  const open = (name: keyof typeof texts.pages) => link(texts.navigation, texts.pages[name]).click();
  await open('plans');
  await row('Growth').waitFor();
  await expectAccessible(page);
  await open('audit');
  await row('operators add').first().waitFor();
  await page.getByLabel(texts.audit.account).fill('acc_unknown');
  await button(texts.audit.find).click();
  await operator.sees(texts.audit.noneFound);
  await open('mails');
  await button(texts.mails.show).click();
  await page.getByRole('group').filter({ hasText: customer.email }).first().click();
  await operator.sees(/\/console\/sign-up\/confirm#/);
  await expectAccessible(page);

  await open('operators');
  await page.getByLabel(texts.operators.email).fill('nobody@example.com');
  await button(texts.operators.add).click();
  await page.getByRole('alert').filter({ hasText: 'Nobody has signed up' }).waitFor();
  await page.getByLabel(texts.operators.email).fill(customer.email);
  await button(texts.operators.add).click();
  await page.getByRole('alert').filter({ hasText: 'passkey' }).waitFor();
  await customer.addPasskey();
  await button(texts.operators.add).click();
  await row(customer.email).waitFor();
  await expectAccessible(page);
  await customer.call('POST', '/sign-in', { email: customer.email, password });
  await customer.open('/operator');
  await customer.sees(shellTexts.texts.secondFactor.text);
  await expectAccessible(customer.page);
  await row(customer.email).getByRole('button').click();
  await confirm(texts.operators.remove.action, customer.email);
  await row(customer.email).waitFor({ state: 'detached' });
});

test('an operator reports an incident, updates it, schedules maintenance, and deletes it', async () => {
  const { page, button } = operator;
  const { incidents: text } = texts;
  const dialog = page.getByRole('dialog');
  const send = async (action: string) => {
    await dialog.getByRole('button', { name: action, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await operator.open('/operator/incidents');
  await operator.sees(text.none);
  await button(text.create.action).click();
  await dialog.getByLabel(text.title, { exact: true }).fill('Sessions fail');
  await dialog.getByRole('checkbox', { name: text.components.api }).uncheck();
  await dialog.getByRole('checkbox', { name: text.components.liveness }).check();
  await dialog.getByLabel(text.impact).selectOption('outage');
  await dialog.getByLabel(text.create.update).fill('Sessions respond with 503.\nWe look into it.');
  await expectAccessible(page);
  await send(text.create.action);
  await row('Sessions fail').getByText(text.statuses.investigating).waitFor();
  await expectAccessible(page);

  await row('Sessions fail').getByRole('button', { name: text.update.action }).click();
  await dialog.getByLabel(text.status).selectOption('resolved');
  await dialog.getByLabel(text.update.text, { exact: true }).fill('Sessions work again.');
  await send(text.update.action);
  await row('Sessions fail').getByText(text.statuses.resolved).waitFor();

  await button(text.schedule.action).click();
  await dialog.getByLabel(text.title, { exact: true }).fill('Database upgrade');
  await dialog.getByLabel(text.schedule.update).fill('We upgrade the database.');
  const nextYear = new Date().getFullYear() + 1;
  await dialog.getByLabel(text.schedule.from, { exact: true }).fill(`${nextYear}-01-01T04:00`);
  await dialog.getByLabel(text.schedule.until, { exact: true }).fill(`${nextYear}-01-01T03:00`);
  await dialog.getByRole('button', { name: text.schedule.action }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Maintenance ends after its start' }).waitFor();
  await dialog.getByLabel(text.schedule.until, { exact: true }).fill(`${nextYear}-01-01T05:00`);
  await send(text.schedule.action);
  await row('Database upgrade').getByText(text.statuses.scheduled).waitFor();
  const { incidents } = await service.admin('incidents', 'list');
  expect(incidents).toMatchObject([
    { title: 'Database upgrade', planned: true, components: ['api', 'analyses', 'liveness', 'webhooks'] },
    { components: ['liveness'], impact: 'outage', updates: [{ text: 'Sessions work again.' }, {}] },
  ]);

  await row('Database upgrade').getByRole('button', { name: text.remove.action }).click();
  await confirm(text.remove.action);
  await row('Database upgrade').waitFor({ state: 'detached' });
  await operator.open('/operator/audit');
  await row(settingsTexts.texts.audit.operations['incidents delete']).first().waitFor();
});

test('the pages do not exist for others, and are not in their navigation', async () => {
  await customer.open('/operator/audit');
  await customer.sees(shellTexts.texts.notFound.title);
  expect(await customer.page.getByRole('link', { name: shellTexts.texts.pages.operator }).count()).toBe(0);
});

test('an operator marks the plan that a member requests, and grants it', async () => {
  const { page, button } = operator;
  const visitor = await Person.signUp('visitor@example.com');
  const email = 'planner@example.com';
  await visitor.call('POST', '/sign-up', { email, plan: 'business' });
  const { plan } = await visitor.call('POST', '/sign-up/confirm', {
    ticket: await ticketFor(email),
    password,
  });
  // The sign-up only reports the plan of its link; the member requests it.
  const { accounts } = await visitor.call('GET', '/profile');
  await visitor.call('POST', `/accounts/${accounts[0].accountId}/plan`, { plan });
  await visitor.leave();
  await operator.open('/operator');
  await row(fill(texts.accounts.requests, { plan: 'Business' }))
    .getByRole('link')
    .click();
  await operator.sees(fill(texts.plan.requested, { plan: 'Business' }));
  await expectAccessible(page);
  await button(fill(texts.plan.grant, { plan: 'Business' })).click();
  await operator.sees(fill(texts.plan.changed, { plan: 'Business' }));
});
