/**
 * The operators' operations, each declared once. The command line and the HTTP API are built from these declarations and
 * contain no code for single operations. To add operations, write a file like `plans.ts` and list them in `registry.ts`.
 */
import type { AuditLog } from '../services/audit/audit';
import type { InvoiceStore } from '../services/billing/invoices';
import type { CategoryService } from '../services/categories/categories';
import type { Mailbox } from '../services/identity/mailbox';
import type { Operators } from '../services/identity/operators';
import type { People } from '../services/identity/people';
import type { Incidents } from '../services/incidents/incidents';
import type { KeyService } from '../services/keys/keys';
import type { AuditImages } from '../services/liveness/audit/audit-images';
import type { LivenessSessions } from '../services/liveness/session/sessions';
import type { UsageStore } from '../services/metering/usage';
import type { RequestReader } from '../services/requests/request-log';
import type { PropertyKind } from '../services/rights/property-grants';
import type { DeliveryService } from '../services/webhooks/delivery-service';
import type { WebhookService } from '../services/webhooks/endpoints';

export interface AdminServices {
  readonly keys: KeyService;
  readonly categories: CategoryService;
  readonly webhooks: WebhookService;
  readonly deliveries: DeliveryService;
  readonly sessions: Pick<LivenessSessions, 'list' | 'find' | 'cancel' | 'erase' | 'resumeErasure'>;
  readonly auditImages: Pick<AuditImages, 'read' | 'erase'>;
  readonly usage: UsageStore;
  readonly invoices: Pick<InvoiceStore, 'list' | 'find'>;
  readonly audit: AuditLog;
  readonly requests: RequestReader;
  readonly operators: Operators;
  readonly people: People;
  readonly mailbox: Pick<Mailbox, 'list' | 'state' | 'forget'>;
  readonly incidents: Incidents;
}

/**
 * One option: a JSON schema with a sentence for the help. Texts and lists must be bounded: the audit log keeps them,
 * except those that are `writeOnly` because they may hold a secret or personal data.
 */
export interface Property {
  readonly type: string | readonly string[];
  readonly description: string;
  readonly [keyword: string]: unknown;
}

export interface InputSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
}

/** An image in the input: a data URI over HTTP, a file on the command line. */
export interface NamedImage {
  /** Its name in sentences. */
  readonly label: string;
  readonly bytes: Buffer;
}

export interface Context {
  readonly requestId: string;
  readonly images: readonly NamedImage[];
  /** Id of the user who is a member of the account; absent for operators. */
  readonly memberId?: string | undefined;
}

/** Values that grant something: see `property-grants.ts`. */
export interface GrantedValues {
  readonly kind: PropertyKind;
  readonly values: object;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Input = Readonly<Record<string, unknown>>;

export interface Operation {
  /** On the command line: a group and a verb. */
  readonly id: string;
  readonly summary: string;
  /** Method and path over HTTP; `:name` in the path is the property `name`. */
  readonly http: readonly [Method, string];
  readonly input: InputSchema;
  /** Name of the field or flag with images, for operations that take some. They are not part of the input. */
  readonly images?: string;
  /** Whether the audit log records it, with its input and the ids in its result. */
  readonly changes: boolean;
  /** Whether the audit log records it even though it changes nothing, because it shows biometric measurements. */
  readonly discloses?: boolean;
  /** The kind of its results, of which the caller sees what the role may read. */
  readonly shows?: PropertyKind;
  /** The values that it sets, or copies, which the caller must be allowed to set. */
  sets?(services: AdminServices, input: Input): GrantedValues | Promise<GrantedValues>;
  /** Whether it examines far more entries than it returns, so that people in the console may run it only so often. */
  isSearch?(input: Input): boolean;
  /** Whether a result is a failure. The command line reports failures in its exit code. */
  isAlarm?(result: unknown): boolean;
  /** @returns the result, as JSON or as a `TextStream`. @throws OperatorError, ApiError */
  run(services: AdminServices, input: Input, context: Context): Promise<unknown>;
}

interface Declaration<I> extends Omit<Operation, 'input' | 'run' | 'sets'> {
  readonly properties: Readonly<Record<string, Property>>;
  /** Default: none, whereas `call()` of the console requires all properties by default. */
  readonly required?: readonly (keyof I & string)[];
  sets?(services: AdminServices, input: I): GrantedValues | Promise<GrantedValues>;
  run(services: AdminServices, input: I, context: Context): Promise<unknown>;
}

/** Declares an operation. `I` is the type of an input that matches the schema. */
export function operation<I>({ properties, required = [], sets, run, ...others }: Declaration<I>): Operation {
  const input: InputSchema = { type: 'object', additionalProperties: false, required, properties };
  return {
    ...others,
    input,
    ...(sets && { sets: (services, given) => sets(services, given as I) }),
    run: (services, given, context) => run(services, given as I, context),
  };
}

const id = (description: string): Property => ({ type: 'string', pattern: '^[\\w-]{1,64}$', description });

/** Properties that many operations share. */
export const account = id('Id of the account');
export const key = id('Id of the key, not the key itself');
export const webhook = id('Id of the webhook endpoint');
export const time = (description: string): Property => ({
  type: 'string',
  format: 'date-time',
  maxLength: 40,
  description,
});
export const page = {
  limit: { type: 'integer', minimum: 1, maximum: 200, default: 50, description: 'Entries at once' },
  after: {
    type: 'string',
    pattern: '^[\\w:.-]{1,96}$',
    description: 'The `next` of the previous page',
  },
} as const satisfies Record<string, Property>;
/** The cursor of lists that are kept in a Redis stream: the id of an entry, which has a time in ms and a number. */
export const afterTime: Property = { ...page.after, pattern: '^[1-9]\\d{0,14}-\\d{1,10}$' };
export interface PageInput {
  readonly limit: number;
  readonly after?: string;
}
