/**
 * Every property that grants something, for every party and every way to set or read it: the console, the operators' API
 * and command line, and calls with an API key do what `property-grants.ts` says.
 *
 * Slow: 467 cells, each a call with accounts, people and keys made for it.
 */
import { Writable } from 'node:stream';
import { optionOf } from '../src/admin/command-line';
import { registry } from '../src/admin/registry';
import { runCommandLine } from '../src/admin/run-command-line';
import { newestVersion } from '../src/services/contract/versions';
import type { Account, AccountChange } from '../src/services/keys/accounts';
import type { KeyScope } from '../src/services/keys/key-records';
import {
  type Grant,
  type Party,
  type PropertyGrants,
  type PropertyKind,
  parties,
  propertyGrants,
} from '../src/services/rights/property-grants';
import { type Role, roles } from '../src/services/rights/roles';
import type { WebhookSettings } from '../src/services/webhooks/endpoints';
import { RedisKeyStore } from '../src/stores/redis-key-store';
import { ConsoleGateway, type Person } from './console/console-gateway';
import { keySecret } from './services';
import { adminToken } from './test-gateway';

let console: ConsoleGateway;
let operator: Person;
let accountId: string;
let apiKey: string;
const members = {} as Record<Role, Person>;

beforeAll(async () => {
  console = await ConsoleGateway.start();
  const owner = await console.person('owner@example.com');
  ({ accountId } = owner);
  members.owner = owner;
  for (const role of roles) {
    if (role !== 'owner') members[role] = await console.member(owner, `${role}@example.com`, role);
  }
  operator = await console.operator('operator@example.com');
  await restore();
  ({ apiKey } = await keys().createKey(accountId, 'live'));
});
afterAll(() => console.stop());

const keys = () => console.services.admin.keys;
const webhooks = () => console.services.admin.webhooks;

/** The account with every setting, which tests change. */
const settings: Partial<Account> = {
  name: 'Shop',
  plan: 'growth',
  requestedPlan: 'business',
  plannedPlan: { plan: 'basic', at: Date.now() + 1e9 },
  payment: { customerId: 'cus_1' },
  overrides: { concurrency: 50 },
  branding: { name: 'Shop' },
  controller: { name: 'Shop', privacyUrl: 'https://shop.example/privacy', contact: 'privacy@shop.example' },
  alternative: { text: 'Visit us.' },
  returnSchemes: ['com.example.shop'],
  livenessPolicy: { level: 'strict' },
  origins: ['https://shop.example'],
  auditImages: { days: 3 },
};
async function restore(): Promise<void> {
  const store = new RedisKeyStore(console.gateway.redis);
  await store.updateAccount(accountId, ({ suspended: _, ...account }) => ({ ...account, ...settings }));
}

/** A value of each property, with the others that it needs. */
const values: { readonly [K in PropertyKind]: { readonly [P in keyof PropertyGrants[K]]: object } } = {
  key: {
    name: { name: 'Name' },
    mode: { mode: 'test' },
    products: { products: ['faceDetection'] },
    cidrs: { cidrs: ['127.0.0.1'] },
    expiresAt: { expiresAt: '2099-01-01T00:00:00Z' },
    auditImages: { auditImages: true },
  },
  webhook: {
    url: { url: 'https://receiver.example/token' },
    events: { events: ['session.failed'] },
    type: { type: 'sync', onFailure: 'continue' },
    onFailure: { type: 'sync', onFailure: 'reject' },
    mode: { mode: 'test' },
  },
  account: {
    name: { name: 'Other' },
    plan: { plan: 'business' },
    requestedPlan: { plan: 'business' },
    plannedPlan: { plan: 'basic' },
    payment: { payment: { customerId: 'cus_2' } },
    overrides: { overrides: { concurrency: 99 } },
    suspended: { suspended: true },
    branding: { branding: { name: 'Other' } },
    controller: { controller: settings.controller },
    alternative: { alternative: { text: 'Call us.' } },
    returnSchemes: { returnSchemes: ['com.example.other'] },
    livenessPolicy: { livenessPolicy: { level: 'standard' } },
    origins: { origins: ['https://other.example'] },
    localWebhooks: { localWebhooks: true },
    auditImages: { auditImages: { days: 30 } },
    apiVersion: { apiVersion: newestVersion },
  },
  session: { auditImage: {}, confidence: {} },
  delivery: { request: {}, history: {} },
};

/** Every property of these resources has a row, so that none can be added without a decision. */
const complete: {
  readonly key: Readonly<Record<keyof KeyScope | 'mode', Grant>>;
  readonly webhook: Readonly<Record<keyof WebhookSettings, Grant>>;
  readonly account: Readonly<Record<keyof AccountChange, Grant>>;
} = propertyGrants;
const table = { ...propertyGrants, ...complete };

/** Whether a call succeeds. `path` is that of the operators' API, without the account. */
type Way = (method: string, path: string, body: object, id: string) => Promise<boolean>;

const inConsole =
  ({ browser }: Person, prefix = ''): Way =>
  async (method, path, body) =>
    (await browser.call(method, `${prefix}/accounts/${accountId}${path}`, body)).status === 200;

const byAdminApi: Way = async (method, path, body) => {
  const call = { method, path: `/accounts/${accountId}${path}`, bearer: adminToken, body };
  return (await console.gateway.admin(call)).status === 200;
};

const byCommandLine: Way = async (_method, path, body, command) => {
  const [, kind, id] = path.split('/');
  const named = id === undefined ? {} : { [kind === 'keys' ? 'key' : 'webhook']: id };
  const text = (value: unknown) => {
    if (Array.isArray(value)) return value.join(',');
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  const options = Object.entries({ account: accountId, ...named, ...body });
  const args = options.map(([name, value]) => `--${optionOf(name)}=${text(value)}`);
  const silent = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const env = { REDIS_URL: console.gateway.redisUrl, KEY_SECRET: keySecret };
  const terminal = { env, stdout: silent(), stderr: silent() };
  return (await runCommandLine([...command.split(' '), ...args], terminal)) === 0;
};

const byKey: Way = async (method, path, body) =>
  (await console.gateway.api({ method, path, bearer: apiKey, body })).status === 200;

/** The ways of a party to the operators' operations, by name. */
const waysOf = (party: Party): readonly (readonly [name: string, way: Way])[] => {
  if (party === 'key') return [['API key', byKey]];
  if (party !== 'operator') return [['console', (...call) => inConsole(members[party])(...call)]];
  return [
    ['console', (...call) => inConsole(operator, '/operator')(...call)],
    ['operators’ API', byAdminApi],
    ['command line', byCommandLine],
  ];
};

async function newWebhook(change: object = {}): Promise<string> {
  const { endpoint } = await webhooks().create(accountId, {
    url: 'https://receiver.example',
    events: ['session.completed'],
    type: 'async' as const,
    ...change,
  });
  return endpoint.id;
}

/** Creating, changing and rolling, by kind. `body` has the property. */
const setters: Readonly<
  Record<string, Readonly<Record<string, (way: Way, body: object) => Promise<boolean>>>>
> = {
  key: {
    // A key makes keys of its own mode; everybody else says which.
    create: (way, body) =>
      way('POST', '/keys', way === byKey ? body : { mode: 'live', ...body }, 'keys create'),
    roll: async (way, body) => {
      const { mode = 'live', expiresAt, ...scope } = body as { mode?: 'live' | 'test'; expiresAt?: string };
      const ends = expiresAt === undefined ? {} : { expiresAt: Date.parse(expiresAt) };
      const { keyId } = await keys().createKey(accountId, mode, { ...scope, ...ends });
      return way('POST', `/keys/${keyId}/roll`, {}, 'keys roll');
    },
  },
  webhook: {
    create: (way, body) =>
      way('POST', '/webhooks', { url: 'https://receiver.example', ...body }, 'webhooks create'),
    update: async (way, body) => way('PATCH', `/webhooks/${await newWebhook()}`, body, 'webhooks update'),
    'roll-secret': async (way, body) =>
      way('POST', `/webhooks/${await newWebhook(body)}/roll-secret`, {}, 'webhooks roll-secret'),
  },
  account: {
    update: (way, body) => way('PATCH', '', body, 'accounts update'),
  },
};
/** API keys create, and neither change nor roll. */
const ofKeys = ['create'];
/** Set by a call of their own. */
const plans = ['requestedPlan', 'plannedPlan'];

const cells = (['key', 'webhook', 'account'] as const).flatMap((kind) =>
  Object.entries<Grant>(table[kind]).flatMap(([name, grant]) =>
    Object.keys(setters[kind] ?? {}).flatMap((how) =>
      parties
        .filter((party) => party !== 'key' || ofKeys.includes(how))
        .flatMap((party) =>
          waysOf(party).map(([way, call]) => ({
            kind,
            name,
            how,
            party,
            way,
            call,
            expected: grant.set.includes(party),
          })),
        ),
    ),
  ),
);

afterEach(async () => {
  await restore();
  for (const { id } of await webhooks().list(accountId)) await webhooks().remove(accountId, id);
  for (const { id, name } of await keys().listKeys(accountId)) {
    if (name !== undefined) await keys().revokeKey(accountId, id);
  }
});

test.each(cells)(
  '$party by $way may set $name of a $kind by $how: $expected',
  async ({ kind, name, how, call, party, expected }) => {
    const body = (values[kind] as Readonly<Record<string, object>>)[name] as object;
    if (kind === 'account' && plans.includes(name)) {
      const plan = (method: string, path: string) => call(method, `${path}/plan`, body, 'accounts update');
      // Operators set the plan at once, with `accounts update`.
      expect(party !== 'operator' && (await plan('POST', ''))).toBe(expected);
      return;
    }
    expect(await setters[kind]?.[how]?.(call, body)).toBe(expected);
  },
);

/** The calls that show each kind. */
const shown: Readonly<Record<'key' | 'webhook' | 'account', string>> = {
  key: '/keys',
  webhook: '/webhooks',
  account: '',
};
/** Properties that views show by another name. */
const shownAs: Readonly<Record<string, string>> = { payment: 'paysByStripe' };

// biome-ignore lint/suspicious/noExplicitAny: views are read freely
async function viewsOf(party: Party, kind: keyof typeof shown): Promise<any> {
  if (party === 'key') {
    if (kind === 'account') {
      return [(await console.gateway.api({ method: 'GET', path: '/usage', bearer: apiKey })).body.data];
    }
    const reply = await console.gateway.api({ method: 'GET', path: shown[kind], bearer: apiKey });
    return reply.body.data.items;
  }
  const path = `/accounts/${accountId}${shown[kind]}`;
  const { browser } = party === 'operator' ? operator : members[party];
  const reply = await browser.call('GET', party === 'operator' ? `/operator${path}` : path);
  return reply.status === 200 ? [reply.body.data].flat() : [];
}

const reading = parties.flatMap((party) =>
  (['key', 'webhook', 'account'] as const).flatMap((kind) =>
    Object.entries<Grant>(table[kind]).map(([name, { read }]) => ({
      party,
      kind,
      name,
      expected: read.includes(party),
    })),
  ),
);

describe('reading', () => {
  beforeEach(async () => {
    const expiresAt = Date.parse('2099-01-01T00:00:00Z');
    const scope = { name: 'All', products: ['faceDetection'], cidrs: ['127.0.0.1'], expiresAt } as const;
    await keys().createKey(accountId, 'live', { ...scope, auditImages: true });
    await newWebhook({ type: 'sync', onFailure: 'reject', mode: 'live' });
  });

  test.each(reading)(
    '$party may read $name of a $kind: $expected',
    async ({ party, kind, name, expected }) => {
      const views: readonly object[] = await viewsOf(party, kind);
      const isShown = views.some(
        (view) => (shownAs[name] ?? name) in view && !(name === 'url' && 'urlHidden' in view),
      );
      expect(isShown).toBe(expected);
    },
  );

  test.each(parties.filter((party) => party !== 'key'))('%s opens what the table says', async (party) => {
    const paths = {
      session: `/sessions/ses_${'0'.repeat(24)}/audit-image`,
      delivery: '/webhook-deliveries/none',
    };
    const { browser } = party === 'operator' ? operator : members[party];
    const prefix = party === 'operator' ? '/operator' : '';
    for (const [kind, path] of Object.entries(paths) as ['session' | 'delivery', string][]) {
      const code = await browser.refused('GET', `${prefix}/accounts/${accountId}${path}`);
      const [grant] = Object.values<Grant>(table[kind]);
      expect([kind, code !== '403 NOT_ALLOWED']).toEqual([kind, grant?.read.includes(party)]);
    }
  });
});

test('every property that operations set is in the table', () => {
  const operations = {
    key: 'keys create',
    webhook: 'webhooks create',
    account: 'accounts update',
  } as const;
  for (const [kind, id] of Object.entries(operations) as ['key' | 'webhook' | 'account', string][]) {
    const { properties = {} } = registry.find((operation) => operation.id === id)?.input ?? {};
    const names = Object.keys(properties).filter((name) => name !== 'account');
    expect(Object.keys(table[kind])).toEqual(expect.arrayContaining(names));
  }
});
