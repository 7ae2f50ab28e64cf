/** After the erasure of a person, no file of Redis and no list has their email address, wherever it went before. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, waitUntil } from '../../harness/index.mjs';
import { identityVault } from '../../src/services/identity/identity-vault';
import { RequestLog } from '../../src/services/requests/request-log';
import { accountKey } from '../../src/stores/account-key';
import { RedisInvoices } from '../../src/stores/billing/redis-invoices';
import { RedisMailbox } from '../../src/stores/identity/redis-mailbox';
import { infoOf } from '../../src/stores/redis';
import { RedisFiles } from '../../src/stores/redis-files';
import { RedisRequestLog } from '../../src/stores/redis-request-log';
import { keySecret } from '../services';
import { adminToken } from '../test-gateway';
import { ConsoleGateway, password } from './console-gateway';

const marker = 'erased-marker-7413@example.com';
/** Accounts that were named after an address had 64 characters of it. */
const longMarker = `${'erased-long-marker-7413'.padEnd(60, 'x')}@example.com`;
/** Is in the same entries and records, which must be in the files that this test reads, and as they are. */
const control = 'kept-control-7413';
const roundMs = 60_000;

let now = Date.now();
let console: ConsoleGateway;
let requestLog: RequestLog;
const folder = temporaryFolder();
beforeAll(async () => {
  console = await ConsoleGateway.start(() => now, {
    // Compressed texts would hide the address from this test.
    redis: { folder, durable: true, config: { save: '3600 1', rdbcompression: 'no' } },
    keepsMails: true,
    requestLog: { add: (...args) => requestLog.add(...args) },
  });
  requestLog = new RequestLog({
    store: new RedisRequestLog(console.gateway.redis, 100),
    onDropped: () => {},
  });
});
afterAll(() => console.stop());

/** How many files have a text, in any case. */
function filesWith(text: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const contents = files.map((entry) =>
    readFileSync(join(entry.parentPath, entry.name), 'latin1').toLowerCase(),
  );
  return contents.filter((content) => content.includes(text)).length;
}

const mailbox = () => new RedisMailbox(console.gateway.redis, identityVault(keySecret), keySecret);

/** The secret of the newest link in the mailbox for an address. */
async function ticketOf(email: string, subject: RegExp): Promise<string> {
  let ticket: string | undefined;
  await waitUntil('the mail is in the mailbox', async () => {
    const mail = (await mailbox().list(200)).find((mail) => mail.to === email && subject.test(mail.subject));
    ticket = /#(\w{43})\n/.exec(mail?.text ?? '')?.[1];
    return ticket !== undefined;
  });
  return ticket as string;
}

async function signedUp(email: string) {
  const browser = console.browser();
  await browser.data('POST', '/sign-up', { email });
  await browser.data('POST', '/sign-up/confirm', { ticket: await ticketOf(email, /./), password });
  const { accounts, userId } = await browser.data('GET', '/profile');
  return { browser, userId, accountId: accounts[0].accountId as string };
}

/** Invites somebody to an account, where they are an owner too. */
async function invited(from: Awaited<ReturnType<typeof signedUp>>, to: string, browser = console.browser()) {
  await browser.data('GET', '/settings');
  await from.browser.data('POST', `/accounts/${from.accountId}/members`, { email: to, role: 'owner' });
  const isKnown = browser.cookie !== undefined;
  const ticket = await ticketOf(to, /invited/i);
  await browser.data('POST', '/join', { ticket, ...(!isKnown && { password }) });
  return browser;
}

async function rewritten(): Promise<void> {
  const { redis } = console.gateway;
  await waitUntil('Redis has rewritten its files', async () => {
    const info = infoOf(await redis.info('persistence'));
    const busy = [
      info.aof_rewrite_in_progress,
      info.aof_rewrite_scheduled,
      info.rdb_bgsave_in_progress,
      info.rdb_saves_scheduled ?? '0',
    ];
    return busy.every((count) => count === '0');
  });
}

test('an erased email address is in no file of Redis, no list of the console and no search of operators', async () => {
  const { redis, services } = console.gateway;
  const { keys, management } = services;
  const person = await signedUp(marker);
  const colleague = await signedUp('colleague@example.com');
  const founded = await signedUp('founded@example.com');

  // Accounts of others that bear the address: the person is in one, has left another, and was never in the third.
  await invited(colleague, marker, person.browser);
  await keys.updateAccount(colleague.accountId, { name: `Shop of ${marker.toUpperCase()}` });
  await invited(founded, marker, person.browser);
  await person.browser.data('POST', `/accounts/${founded.accountId}/leave`);
  await keys.updateAccount(founded.accountId, { name: marker });
  const { id: elsewhere } = await keys.createAccount(marker, 'free');
  const named = [colleague.accountId, founded.accountId, elsewhere];
  // Earlier versions recorded the name in the log.
  for (const accountId of named) {
    const entry = {
      operation: 'accounts rename',
      outcome: 'done',
      accountId,
      changes: { name: marker },
    } as const;
    await management.audit.record({ actor: 'cli:root', ...entry });
    await management.audit.record({ actor: `user:${person.userId}`, ...entry });
  }
  const invoices = new RedisInvoices(redis);
  for (const accountId of named) {
    const customer = { accountId, name: marker };
    await invoices.add(accountId, { month: '2026-01', number: 1, customer } as never);
  }
  // The person acts in the account of another, and as an operator, and names themselves each time.
  const keyName = `${control} ${marker.toUpperCase()}`;
  await person.browser.data('POST', `/accounts/${colleague.accountId}/keys`, { name: keyName, mode: 'live' });
  const operatorHeaders = { authorization: `Bearer ${adminToken}`, 'x-admin-actor': marker };
  const suspended = { path: `/accounts/${founded.accountId}`, method: 'PATCH', headers: operatorHeaders };
  expect((await console.gateway.admin({ ...suspended, body: { suspended: false } })).status).toBe(200);
  // Mails by the person, and to them.
  await person.browser.data('POST', `/accounts/${person.accountId}/members`, {
    email: 'guest@example.com',
    role: 'viewer',
  });
  await founded.browser.data('POST', `/accounts/${founded.accountId}/members`, {
    email: marker,
    role: 'viewer',
  });
  await console.browser().data('POST', '/sign-up', { email: marker });
  await console.browser().data('POST', '/reset', { email: marker });
  await console.browser().refused('POST', '/sign-in', { email: marker, password: 'not the password at all' });
  await person.browser.data('PATCH', `/accounts/${person.accountId}`, { name: marker });
  // Calls with a key.
  const { apiKey } = await keys.createKey(colleague.accountId, 'live');
  const api = (path: string, method = 'POST', body?: unknown) =>
    console.gateway.api({ path, method, bearer: apiKey, body, headers: { 'idempotency-key': 'once' } });
  expect((await api('/liveness', 'POST', { metadata: { userId: marker } })).status).toBe(200);
  await api(`/liveness/${marker}`, 'GET');
  // Operators look for the person.
  await management.people.signOut(marker);
  const operator = await console.gateway.admin({
    path: '/people/sign-out',
    body: { email: marker },
    headers: { authorization: `Bearer ${adminToken}` },
  });
  expect(operator.status).toBeLessThan(500);
  const search = async () => {
    const path = `/accounts?search=${encodeURIComponent(marker)}`;
    const headers = { authorization: `Bearer ${adminToken}` };
    return (await console.gateway.admin({ path, method: 'GET', headers })).body.data.accounts;
  };
  expect((await search()).map((account: { accountId: string }) => account.accountId).sort()).toEqual(
    [person.accountId, colleague.accountId].sort(),
  );
  await requestLog.close();
  expect(await redis.config('GET', 'rdbcompression')).toEqual(['rdbcompression', 'no']);
  await redis.save();
  await waitUntil('the address is in the files', () => filesWith(marker) > 1);

  const recorded = async () => (await management.audit.list({ limit: 5_000 })).items;
  const before = await recorded();
  const again = console.browser();
  await again.data('POST', '/sign-in', { email: marker, password });
  await again.data('DELETE', '/profile');
  now += 60 * 60_000;
  await console.run('sweep of erasures');
  expect(await new RedisFiles(redis).sweep(roundMs)).toBe(true);
  await rewritten();

  expect(filesWith(marker)).toBe(0);
  expect(filesWith(control)).toBeGreaterThan(0);
  expect(await search()).toEqual([]);
  const left = await colleague.browser.data('GET', `/accounts/${colleague.accountId}/keys`);
  expect(JSON.stringify(left)).toContain(`"name":"${control} (erased)"`);
  // Entries of accounts that were erased as a whole are gone. All others stay, with the address replaced.
  const after = await recorded();
  const times = new Set(after.map(({ time, operation, outcome }) => `${time} ${operation} ${outcome}`));
  const lost = before.filter(({ time, operation, outcome }) => !times.has(`${time} ${operation} ${outcome}`));
  expect(lost.filter(({ accountId }) => accountId !== person.accountId)).toEqual([]);
  expect(after.filter(({ actor }) => actor === 'api:(erased)').map(({ operation }) => operation)).toContain(
    'accounts update',
  );
  const { entries } = await colleague.browser.data('GET', `/accounts/${colleague.accountId}/audit?limit=100`);
  expect(entries).toContainEqual(
    expect.objectContaining({
      actor: 'former member',
      operation: 'keys create',
      changes: expect.objectContaining({ name: `${control} (erased)` }),
    }),
  );
  const shown = [
    await mailbox().list(200),
    await management.audit.list({ limit: 200 }),
    await Promise.all(named.map((id) => invoices.list(id))),
  ];
  for (const path of ['', '/members', '/invitations', '/audit?limit=100', '/requests?limit=100']) {
    for (const { browser, accountId } of [colleague, founded]) {
      shown.push(await browser.data('GET', `/accounts/${accountId}${path}`));
    }
  }
  expect(JSON.stringify(shown).toLowerCase()).not.toContain(marker);
  for (const id of named) expect((await keys.findAccount(id)).name).toMatch(/^Account \w{4}$/);
});

test('the beginning of an address that was too long for a name is erased too', async () => {
  const { keys } = console.gateway.services;
  const { browser } = await signedUp(longMarker);
  const { id } = await keys.createAccount(longMarker.slice(0, 64), 'free');
  await browser.data('DELETE', '/profile');
  expect((await keys.findAccount(id)).name).toMatch(/^Account \w{4}$/);
  expect(await console.gateway.redis.get(accountKey(id, 'account'))).not.toContain('erased-long-marker');
});

test('addresses of others that contain the address are left', async () => {
  const { keys } = console.gateway.services;
  const { browser } = await signedUp('an@example.co');
  const others = ['juan@example.co', 'an@example.com', 'an@example.co.uk', 'the-an@example.co'];
  for (const to of others) await mailbox().keep({ to, subject: 'A link', text: `For ${to}.`, at: now });
  await mailbox().keep({ to: 'guest@example.com', subject: 'Hi', text: 'By\nan@example.co.', at: now });
  const kept = await Promise.all(others.map((name) => keys.createAccount(name, 'free')));
  const { id } = await keys.createAccount('Shop (AN@example.co)', 'free');
  await browser.data('DELETE', '/profile');
  for (const { id, name } of kept) expect((await keys.findAccount(id)).name).toBe(name);
  for (const to of others) expect(await mailbox().list(9, to)).toHaveLength(1);
  expect((await keys.findAccount(id)).name).toMatch(/^Account/);
  expect((await mailbox().list(200)).map(({ text }) => text)).not.toContain('By\nan@example.co.');
});
