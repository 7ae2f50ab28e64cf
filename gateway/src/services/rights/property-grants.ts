/**
 * The roles and callers that may set and read each property that grants something. The console, the operators' API and
 * command line, and calls with an API key check every value against this table, also values that an operation copies, as
 * rolling a key does.
 */
import { ConsoleError } from '../../errors';
import { type Role, roles } from './roles';

/**
 * A role in the console; `operator` in the console, the operators' API and the command line; `key`, an API key, which
 * never sets more than it has itself (`narrowed`).
 */
export const parties = [...roles, 'operator', 'key'] as const;
export type Party = (typeof parties)[number];

export interface Grant {
  readonly set: readonly Party[];
  readonly read: readonly Party[];
  /** Shown to parties that may not read the value. Default: nothing. */
  readonly redacted?: (value: string) => Readonly<Record<string, unknown>>;
}

const makers: readonly Party[] = ['owner', 'developer', 'operator', 'key'];
const readers: readonly Party[] = [...makers, 'viewer'];
const people: readonly Party[] = [...roles, 'operator'];
const operators: readonly Party[] = ['operator'];

const byMakers: Grant = { set: makers, read: readers };
const byMakersInConsole: Grant = { set: ['owner', 'developer', 'operator'], read: readers };
const byOperators: Grant = { set: operators, read: people };

/** The grants by kind of resource. `npm run typecheck` fails if a property of one has no row. */
export const propertyGrants = {
  key: {
    name: byMakers,
    // A key creates keys of its own mode.
    mode: byMakersInConsole,
    products: byMakers,
    cidrs: byMakers,
    expiresAt: byMakers,
    // The documentation promises that only operators grant it. A key with it is rolled by operators too.
    auditImages: { set: operators, read: readers },
  },
  webhook: {
    // The URLs of many receivers contain a secret token.
    url: { set: makers, read: makers, redacted: (url) => ({ url: new URL(url).origin, urlHidden: true }) },
    events: byMakers,
    type: byMakers,
    onFailure: byMakers,
    // A key creates endpoints of its own mode.
    mode: byMakersInConsole,
  },
  account: {
    name: { set: ['owner', 'operator'], read: people },
    // Keys read it with the usage.
    plan: { set: operators, read: parties },
    requestedPlan: { set: ['owner', 'billing'], read: people },
    plannedPlan: { set: ['owner', 'billing'], read: people },
    // Stripe sets it.
    payment: { set: [], read: people },
    overrides: byOperators,
    suspended: byOperators,
    branding: byOperators,
    controller: byOperators,
    alternative: byOperators,
    returnSchemes: byOperators,
    livenessPolicy: byOperators,
    origins: byOperators,
    localWebhooks: byOperators,
    auditImages: byOperators,
    apiVersion: byOperators,
  },
  session: {
    // A key needs `auditImages`.
    auditImage: { set: [], read: ['owner', 'operator', 'key'] },
    // Like the payload of a delivery, which has it, too.
    confidence: { set: [], read: ['owner', 'developer', 'operator', 'key'] },
  },
  delivery: {
    // The payload has measurements, which viewers do not see.
    request: { set: [], read: ['owner', 'developer', 'operator'] },
    history: { set: [], read: ['owner', 'developer', 'operator'] },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Grant>>>>;

export type PropertyGrants = typeof propertyGrants;
export type PropertyKind = keyof PropertyGrants;

type Values = Readonly<Record<string, unknown>>;

/** The table's row for a property, if the property grants something. */
function grantOf(kind: PropertyKind, name: string): Grant | undefined {
  const rows: Readonly<Record<string, Grant>> = propertyGrants[kind];
  return Object.hasOwn(rows, name) ? rows[name] : undefined;
}

/** Roles that may set or read a property. */
export const rolesThat = <K extends PropertyKind>(
  access: 'set' | 'read',
  kind: K,
  name: keyof PropertyGrants[K] & string,
): readonly Role[] => roles.filter((role) => grantOf(kind, name)?.[access].includes(role));

/** Whether a party may set all of these values. Absent values and `false` grant nothing. */
export const maySet = (party: Party, kind: PropertyKind, values: object): boolean =>
  Object.entries(values).every(
    ([name, value]) =>
      value === undefined || value === false || (grantOf(kind, name)?.set.includes(party) ?? true),
  );

/** @throws ConsoleError NOT_ALLOWED */
export function checkSet(party: Party, kind: PropertyKind, values: object): void {
  if (!maySet(party, kind, values)) throw new ConsoleError('NOT_ALLOWED');
}

/** An object, or each object of a list, as a party may see it. */
export function readableBy(party: Party, kind: PropertyKind, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((item) => readableBy(party, kind, item));
  return Object.assign(
    {},
    ...Object.entries(data as Values).map(([name, value]) => {
      const grant = grantOf(kind, name);
      if (!grant || grant.read.includes(party)) return { [name]: value };
      return grant.redacted?.(String(value)) ?? {};
    }),
  );
}
