/** Calls about an account as a whole. */
import brand from '@presenza/contract/brand.json';
import { ConsoleGateway, type Person } from './console-gateway';

let console: ConsoleGateway;
let owner: Person;
beforeAll(async () => {
  console = await ConsoleGateway.start();
  owner = await console.person('owner@example.com');
});
afterAll(() => console.stop());

test('the settings are public and say what the pages depend on', async () => {
  expect(await console.browser().data('GET', '/settings')).toEqual({
    brand: brand.name,
    smtp: false,
    payments: false,
    requestLogDays: 7,
    passwordLength: { least: 12, most: 128 },
    secondFactor: 'optional',
    selfServicePlans: false,
    profile: null,
  });
});

test('the checklist follows the first steps of an account', async () => {
  const { browser, accountId } = await console.person('first-steps@example.com');
  const path = `/accounts/${accountId}`;
  const checklist = () => browser.data('GET', `${path}/checklist`);
  const none = { key: false, call: false, webhook: false, liveness: false };
  expect(await checklist()).toEqual(none);
  const { apiKey } = await browser.data('POST', `${path}/keys`, { mode: 'test' });
  expect(await checklist()).toEqual({ ...none, key: true });
  const call = (path: string, body: object) => console.gateway.api({ path, bearer: apiKey, body });
  const image = 'data:image/jpeg;base64,/9j/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQ==';
  expect((await call('/detect', { image })).status).toBe(200);
  await browser.data('POST', `${path}/webhooks`, { url: 'https://receiver.example/events' });
  await call('/liveness', {});
  expect(await checklist()).toEqual({ key: true, call: true, webhook: true, liveness: true });
});

test('an owner renames the account', async () => {
  const { browser, accountId } = owner;
  expect(await browser.data('PATCH', `/accounts/${accountId}`, { name: 'Shop' })).toEqual({
    accountId,
    name: 'Shop',
  });
  expect(await browser.data('GET', `/accounts/${accountId}`)).toMatchObject({ name: 'Shop' });
  const refused = await browser.refused('PATCH', `/accounts/${accountId}`, {
    name: 'Shop',
    plan: 'business',
  });
  expect(refused).toBe('400 INVALID_PARAMETERS');
});

test('owners see every setting that operators gave their account', async () => {
  const { browser, accountId } = await console.person('settings@example.com');
  const operator = await console.operator('admin@example.com');
  const settings = {
    plan: 'business',
    overrides: { quota: { livenessDetection: 99 }, overage: { imageAnalysis: 0.5 }, concurrency: 9 },
    branding: { name: 'Shop' },
    controller: { name: 'Shop', privacyUrl: 'https://shop.example/privacy', contact: 'privacy@shop.example' },
    alternative: { text: 'Call us.' },
    returnSchemes: ['com.example.shop'],
    livenessPolicy: { level: 'standard' },
    origins: ['https://shop.example'],
    localWebhooks: true,
    auditImages: { days: 30 },
    suspended: true,
  };
  await operator.browser.data('PATCH', `/operator/accounts/${accountId}`, settings);
  expect(await browser.data('GET', `/accounts/${accountId}`)).toMatchObject(settings);
});

test('the log of an account names its members by their email address, and nobody else', async () => {
  const { browser, accountId, email } = owner;
  const path = `/accounts/${accountId}`;
  const developer = await console.member(owner, 'developer@example.com', 'developer');
  const { apiKey } = await developer.browser.data('POST', `${path}/keys`, { name: 'mine', mode: 'live' });
  await console.gateway.api({ method: 'POST', path: '/keys', bearer: apiKey, body: {} });
  const operator = await console.operator('operator@example.com');
  await operator.browser.data('PATCH', `/operator${path}`, { suspended: false });
  const actors = async () => {
    const { entries } = await browser.data('GET', `${path}/audit?limit=4`);
    return entries.map(({ actor, operation }: { actor: string; operation: string }) => [operation, actor]);
  };
  expect(await actors()).toEqual([
    ['accounts update', 'operator'],
    ['keys create', expect.stringMatching(/^key:/)],
  ]);
  await browser.data('PATCH', path, { name: 'Shop' });
  await browser.data('DELETE', `${path}/members/${developer.userId}`);
  const { entries } = await browser.data('GET', `${path}/audit?limit=100`);
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ actor: email, operation: 'accounts rename', outcome: 'done' }),
      expect.objectContaining({ actor: 'former member', operation: 'keys create', outcome: 'done' }),
    ]),
  );
  // People name accounts after themselves.
  expect(JSON.stringify(entries)).not.toMatch(/begun|usr_.*user:|operator@|Shop/);
});
