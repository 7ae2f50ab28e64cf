import limits from '@presenza/contract/limits.json';
import { OperatorError } from '../errors';
import { type Schema, schemas } from '../services/contract/contract';
import { versionDates, versionOfAccount } from '../services/contract/versions';
import { maxEmailLength } from '../services/identity/email';
import { type Account, type AccountChange, auditImageDaysOf } from '../services/keys/accounts';
import type { KeyService } from '../services/keys/keys';
import { namedPage, type Page } from '../services/pages';
import { type PlanTier, planTiers, productGroups, termsOf } from '../services/plans/terms';
import { isoTime } from '../services/timing/iso-time';
import { account, type Operation, operation, type PageInput, type Property, page } from './operation';

/** Not recorded, because people name accounts after themselves. */
const name: Property = {
  type: 'string',
  writeOnly: true,
  maxLength: limits.accounts.maxNameLength,
  description: 'Display name',
};
const plan: Property = { type: 'string', enum: planTiers, description: 'Plan' };

/** More than any deployment serves, and small enough to stay exact in every store. */
const most = 1e12;
const perGroup = (type: string) => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(productGroups.map((group) => [group, { type, minimum: 0, maximum: most }])),
});
const count = { type: 'integer', minimum: 1, maximum: most };
/** Room for a capture, which may take at most half of it: 64 frames of 64 KiB. */
const leastSessionBytes = 8 * 1024 ** 2;
const overrides: Property = {
  type: ['object', 'null'],
  description:
    'In place of the plan’s numbers: any of quota, overage, burst, concurrency and sessionBytes; replaces earlier ones, null clears them',
  additionalProperties: false,
  properties: {
    quota: perGroup('integer'),
    overage: perGroup('number'),
    burst: {
      type: 'object',
      additionalProperties: false,
      required: ['limit', 'windowSeconds'],
      properties: { limit: count, windowSeconds: count },
    },
    concurrency: count,
    sessionBytes: { ...count, minimum: leastSessionBytes },
  },
};

/** A setting of an account in the form of the contract, of which null clears the value. */
function setting(file: string, description: string): Property {
  return { ...inlined({ $ref: file }), type: ['object', 'null'], additionalProperties: false, description };
}

/** A schema with those that it refers to in place of the references. */
function inlined({ $ref, ...overrides }: Schema): Schema {
  const { $schema, $id, title, ...target } = ($ref === undefined ? {} : schemas.get($ref)) as Schema & {
    readonly $schema?: string;
  };
  const { items, properties, ...rest } = { ...target, ...overrides };
  return {
    ...rest,
    ...(items && { items: inlined(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, inlined(property)]),
      ),
    }),
  };
}

const branding = setting(
  'liveness-branding.json',
  'How the hosted page looks: name, and if wished logoUrl and colors; replaces an earlier one, null clears it',
);
const controller = setting(
  'liveness-controller.json',
  'The controller of the images, for the consent notice: legal name, privacyUrl and contact; null clears it',
);
const alternative = setting(
  'liveness-alternative.json',
  'The other way for people who cannot or do not want to complete a check: text, url or both; null clears it',
);
const livenessPolicy = setting(
  'liveness-policy.json',
  'Policy of sessions whose request does not say otherwise: any of level, minConfidence, virtualCameras, lightChallenge and devices; replaces an earlier one, null clears it',
);
const returnSchemes: Property = {
  type: ['array', 'null'],
  description:
    'Schemes of apps that returnUrl may have: com.example.shop, or a word that ends with app; replaces earlier ones',
  minItems: 1,
  maxItems: limits.accounts.maxReturnSchemes,
  uniqueItems: true,
  items: { type: 'string', maxLength: 100 },
};

const origins: Property = {
  type: ['array', 'null'],
  description:
    'Origins of the customer’s own pages that may make the calls about its sessions, such as https://shop.example, or of their apps, such as capacitor://localhost; replaces earlier ones, null clears them',
  maxItems: limits.accounts.maxOrigins,
  uniqueItems: true,
  items: { type: 'string', maxLength: 260 },
};

const { defaultDays, maxDays } = limits.liveness.auditImage;
const auditImages: Property = {
  type: ['object', 'null'],
  description: `Keeps one image of each new liveness session for review by a person, for the given days (${defaultDays} by default); null keeps none`,
  additionalProperties: false,
  properties: { days: { type: 'integer', minimum: 1, maximum: maxDays } },
};

/** All that `accounts update` can change. */
const changes: Readonly<Record<string, Property>> = {
  name,
  plan,
  overrides,
  branding,
  controller,
  alternative,
  returnSchemes,
  livenessPolicy,
  origins,
  auditImages,
  suspended: { type: 'boolean', description: 'true refuses all of its requests until false is set' },
  localWebhooks: {
    type: 'boolean',
    description:
      'true lets its webhooks reach the gateway’s own machine, for development; never for a customer',
  },
  apiVersion: {
    type: 'string',
    enum: versionDates,
    description: 'API version of requests that name none',
  },
};

function view(account: Account) {
  const { id, name, plan, createdAt, suspended = false, auditImages, ...others } = account;
  const { earlierTerms, apiVersion, plannedPlan, payment, ...settings } = others;
  return {
    accountId: id,
    name,
    plan,
    suspended,
    apiVersion: versionOfAccount(account),
    createdAt: isoTime(createdAt),
    ...settings,
    ...(plannedPlan && { plannedPlan: { plan: plannedPlan.plan, takesEffect: isoTime(plannedPlan.at) } }),
    ...(payment && { paysByStripe: payment.subscriptionId !== undefined }),
    ...(auditImages && { auditImages: { days: auditImageDaysOf(account) } }),
  };
}

/** How many pages a search reads at most before it returns an empty one, from which the next search continues. */
const mostSearched = 50;

/** The next page that has an account with the text in its id or name. */
async function searchAccounts(
  keys: Pick<KeyService, 'listAccounts'>,
  text: string,
  { limit, after }: PageInput,
): Promise<Page<Account>> {
  const wanted = text.toLowerCase();
  let place = after;
  for (let pages = 0; pages < mostSearched; pages++) {
    const { items, next } = await keys.listAccounts({ limit, ...(place !== undefined && { after: place }) });
    const matches = items.filter(({ id, name }) => `${id}\n${name}`.toLowerCase().includes(wanted));
    if (next === undefined) return { items: matches };
    if (matches.length > 0) return { items: matches, next };
    place = next;
  }
  return { items: [], ...(place !== undefined && { next: place }) };
}

export const accountOperations: readonly Operation[] = [
  operation<{ name: string; plan: PlanTier }>({
    id: 'accounts create',
    summary: 'Makes an account',
    http: ['POST', '/accounts'],
    properties: { name, plan },
    required: ['name', 'plan'],
    changes: true,
    shows: 'account',
    sets: (_services, values) => ({ kind: 'account', values }),
    run: async ({ keys }, { name, plan }) => view(await keys.createAccount(name, plan)),
  }),
  operation<PageInput & { search?: string }>({
    id: 'accounts list',
    summary: 'Lists accounts, newest first',
    http: ['GET', '/accounts'],
    properties: {
      search: {
        type: 'string',
        maxLength: maxEmailLength,
        writeOnly: true,
        description:
          'Only accounts with this text in their id or name, or with a member of this email address',
      },
      ...page,
    },
    changes: false,
    run: async ({ keys, people }, { search, ...wanted }) => {
      const theirs = search?.includes('@') ? await people.accountsOf(search) : [];
      if (theirs.length > 0) {
        const items = await Promise.all(theirs.map((id) => keys.findAccount(id)));
        return namedPage('accounts', { items }, view);
      }
      const list = search === undefined ? keys.listAccounts(wanted) : searchAccounts(keys, search, wanted);
      return namedPage('accounts', await list, view);
    },
  }),
  operation<{ account: string }>({
    id: 'accounts show',
    summary: 'Shows an account and its terms: the plan’s, with what was set for it',
    http: ['GET', '/accounts/:account'],
    properties: { account },
    required: ['account'],
    changes: false,
    shows: 'account',
    run: async ({ keys }, { account }) => {
      const shownAccount = await keys.findAccount(account);
      return { ...view(shownAccount), terms: termsOf(shownAccount.plan, shownAccount.overrides) };
    },
  }),
  operation<{ account: string } & AccountChange>({
    id: 'accounts update',
    summary: 'Changes an account, effective on every gateway within a second',
    http: ['PATCH', '/accounts/:account'],
    properties: { account, ...changes },
    required: ['account'],
    changes: true,
    shows: 'account',
    sets: (_services, { account: _, ...values }) => ({ kind: 'account', values }),
    run: async ({ keys }, { account, ...change }) => {
      if (Object.keys(change).length === 0) {
        throw new OperatorError(
          `There is nothing to change: give at least one of ${Object.keys(changes).join(', ')}`,
        );
      }
      return view(await keys.updateAccount(account, change));
    },
  }),
];
