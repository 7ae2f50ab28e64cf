/**
 * The calls of the console's API, each declared once. `router.ts` serves them and contains no code for single calls. Declare
 * with `call()` here what only people in the console do. An operation that operators run too, on the command line or for any
 * account, is declared with `operation()` (`admin/registry.ts`); `grants.ts` lists the roles that may use it in the console.
 */
import type { AdminServices, InputSchema, Method, NamedImage, Property } from '../admin/operation';
import type { Erasure } from '../services/accounts/erasure';
import type { PlanChanges } from '../services/billing/plan-changes';
import type { StripeEvents } from '../services/billing/stripe-events';
import type { StripePayments } from '../services/billing/stripe-payments';
import type { Identity } from '../services/identity/identity';
import type { Client } from '../services/identity/known-clients';
import type { MemberService } from '../services/identity/members';
import type { Profile } from '../services/identity/profile';
import type { SignIn } from '../services/identity/sign-in';
import type { SignedIn } from '../services/identity/sign-ins';
import type { SignUp } from '../services/identity/sign-up';
import type { KeyService } from '../services/keys/keys';
import type { Role } from '../services/rights/roles';

export interface ConsoleSettings {
  readonly brand: string;
  /** Whether a mail server is configured. Otherwise, operators read the mails. */
  readonly smtp: boolean;
  /** Whether plans can be paid in the console. Otherwise, changes are requests to the operator. */
  readonly payments: boolean;
  /** Whether a higher plan takes effect at once, without a payment and without the operator. */
  readonly selfServicePlans: boolean;
  readonly requestLogDays: number;
  /** Characters of a new password. */
  readonly passwordLength: { readonly least: number; readonly most: number };
  /** Whether the calls of accounts need a passkey or a second factor. */
  readonly secondFactor: 'optional' | 'required';
}

export interface ConsoleServices {
  readonly identity: Identity;
  readonly signUp: SignUp;
  readonly signIn: SignIn;
  readonly profile: Profile;
  readonly members: MemberService;
  readonly erasure: Erasure;
  readonly keys: Pick<KeyService, 'findAccount' | 'updateAccount'>;
  readonly settings: ConsoleSettings;
  readonly admin: AdminServices;
  readonly billing: {
    readonly plans: PlanChanges;
    /** Absent without Stripe. */
    readonly payments?: StripePayments | undefined;
    readonly events?: StripeEvents | undefined;
  };
}

/**
 * The callers that a call admits: `anyone`; `maybe` the same, with the sign-in if there is one; `person` who is signed in;
 * `recent` signed in within the last minutes, with the second factor if there is one; `operator` who used a second factor;
 * or members of the account in the path with one of these roles.
 */
export type Access = 'anyone' | 'maybe' | 'person' | 'recent' | 'operator' | readonly Role[];

export interface Caller extends Client {
  readonly requestId: string;
  /** In the account of the path. */
  readonly role?: Role | undefined;
  readonly images: readonly NamedImage[];
}

/** The result of a call. */
export interface Result {
  readonly data: unknown;
  /** A new value for the cookie; null removes it. */
  readonly cookie?: string | null;
  /** The same for the device cookie. */
  readonly device?: string | null;
}

export interface Call {
  /** Its name in logs, metrics and the audit log: a group and a verb. */
  readonly id: string;
  readonly summary: string;
  /** `:name` in the path is the property `name`. */
  readonly http: readonly [Method, string];
  readonly access: Access;
  /** Whether callers must be `recent` as well. */
  readonly recent?: boolean;
  readonly input: InputSchema;
  /** Name of the field with images, which are not part of the input. */
  readonly images?: string;
  /** Whether it counts toward the limit of searches. */
  isSearch?(input: Readonly<Record<string, unknown>>): boolean;
  /** Whether the audit log records it. */
  readonly changes: boolean;
  /**
   * Admits a call before the audit log records it. Calls that change something for anybody need it: otherwise, strangers
   * could fill the log.
   * @throws ConsoleError
   */
  admit?(services: ConsoleServices, input: object): Promise<void>;
  /** @throws ConsoleError, OperatorError, ApiError */
  run(
    services: ConsoleServices,
    input: object,
    caller: Caller,
    signedIn: SignedIn | undefined,
  ): Promise<Result>;
}

/** By access, what the call knows of the person. */
type Known<A extends Access> = A extends 'anyone'
  ? undefined
  : A extends 'maybe'
    ? SignedIn | undefined
    : SignedIn;

interface Declaration<I, A extends Access>
  extends Omit<Call, 'input' | 'admit' | 'run' | 'access' | 'changes'> {
  readonly access: A;
  readonly changes?: boolean;
  readonly properties?: Readonly<Record<string, Property>>;
  /** Default: all properties, whereas `operation()` of operators requires none by default. */
  readonly required?: readonly (keyof I & string)[];
  admit?(services: ConsoleServices, input: I): Promise<void>;
  run(services: ConsoleServices, input: I, caller: Caller, signedIn: Known<A>): Promise<Result>;
}

/**
 * Declares a call: `call<I>()({ ... })`, where `I` is the type of an input that matches the properties. The first call takes
 * `I` only, because TypeScript infers the type of `access` only in a call without type arguments.
 */
export const call =
  <I = object>() =>
  <const A extends Access>({
    properties = {},
    required,
    admit,
    run,
    ...others
  }: Declaration<I, A>): Call => ({
    changes: others.http[0] !== 'GET',
    ...others,
    input: {
      type: 'object',
      additionalProperties: false,
      properties,
      required: required ?? Object.keys(properties),
    },
    ...(admit && { admit: (services, input) => admit(services, input as I) }),
    run: (services, input, caller, signedIn) => run(services, input as I, caller, signedIn as Known<A>),
  });

export const text = (description: string, maxLength: number): Property => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});

/** A secret or personal data, such as a name: the audit log leaves it out. */
export const unrecorded = (description: string, maxLength = 128): Property => ({
  ...text(description, maxLength),
  writeOnly: true,
});

/** The name of a call in the description of the API. */
export const operationIdOf = ({ id }: Pick<Call, 'id'>): string =>
  id.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());
