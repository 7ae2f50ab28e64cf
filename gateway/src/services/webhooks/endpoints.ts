/** Webhook endpoints of an account: the URLs of its receivers, and the secrets that sign its events. */
import { randomBytes } from 'node:crypto';
import brand from '@presenza/contract/brand.json';
import limits from '@presenza/contract/limits.json';
import plans from '@presenza/contract/plans.json';
import { derivedBase62, randomBase62 } from '../../crypto/base62';
import { Vault } from '../../crypto/vault';
import { OperatorError } from '../../errors';
import { wrongValue } from '../../errors/expectation';
import { parseWebUrl } from '../../formats/web-url';
import { isRepeatable, usedFor } from '../contract/repetition';
import { type Account, type AccountStore, noAccount } from '../keys/accounts';
import type { KeyMode } from '../keys/api-key';
import type { AddressGuard } from './address-guard';
import { accountEventIds, eventIds, type WebhookEvent } from './events';
import { secretPrefix } from './signature';

export const webhookTypes = ['async', 'sync'] as const;
/** `sync`: the gateway waits for the receiver's decision, which may end the session. */
export type WebhookType = (typeof webhookTypes)[number];
export const failureChoices = ['continue', 'reject'] as const;
/** The decision that counts if a synchronous endpoint fails. */
export type OnFailure = (typeof failureChoices)[number];
export const endpointModes = ['live', 'test', 'both'] as const;
/** The mode of the sessions whose events an endpoint gets. */
export type EndpointMode = (typeof endpointModes)[number];
/** Why an endpoint is disabled: by an operator, by a 410 response, or after days of failures. */
export type DisabledBecause = 'operator' | 'gone' | 'failing';

export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  /** Ids of `events.json` and `account-events.json`. */
  readonly events: readonly string[];
  readonly type: WebhookType;
  /** Absent in an asynchronous endpoint, and in a synchronous one of an earlier release, where it is continue. */
  readonly onFailure?: OnFailure;
  /** Default: both. */
  readonly mode?: EndpointMode;
  /** Sealed for the account and endpoint. */
  readonly secret: string;
  /** When the secret was rolled last, in milliseconds since 1970. */
  readonly rolledAt?: number;
  /** Rolled secrets, sealed, oldest first. Each signs until its time, in milliseconds since 1970. */
  readonly earlierSecrets?: readonly EarlierSecret[];
  /** While present, the endpoint gets no events. */
  readonly disabled?: { readonly at: number; readonly because: DisabledBecause };
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Id of the user who chose the URL, also with a key of theirs; absent for operators. */
  readonly urlBy?: string | undefined;
  /** Id of the user who was shown the secret, also with a key of theirs; absent for operators. */
  readonly secretBy?: string | undefined;
  /** Id of the key that created it by the API. It keeps getting events after that key ends. */
  readonly createdByKey?: string | undefined;
}

export interface EarlierSecret {
  readonly secret: string;
  readonly until: number;
  /** Its creator; see `secretBy` of the endpoint. */
  readonly by?: string | undefined;
}

/** The settings that operators choose. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly string[];
  readonly type: WebhookType;
  readonly onFailure?: OnFailure;
  readonly mode?: EndpointMode;
}

export interface WebhookStore {
  /** Atomic, so that concurrent calls cannot exceed the limit. @returns `known` if there is one with this id. */
  addEndpoint(
    accountId: string,
    endpoint: WebhookEndpoint,
    limit: number,
  ): Promise<'added' | 'known' | 'full'>;
  /** Oldest first. */
  listEndpoints(accountId: string): Promise<WebhookEndpoint[]>;
  findEndpoint(accountId: string, id: string): Promise<WebhookEndpoint | undefined>;
  /** Replaces an endpoint atomically; undefined if there is none. */
  updateEndpoint(
    accountId: string,
    id: string,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint | undefined>;
  /** @returns whether the endpoint existed. */
  removeEndpoint(accountId: string, id: string): Promise<boolean>;
}

export interface WebhookServices {
  readonly store: WebhookStore;
  readonly accounts: Pick<AccountStore, 'findAccount'>;
  readonly vault: Vault;
  /** Tracks the health of endpoints. */
  readonly log: { clearHealth(accountId: string, webhookId: string): Promise<void> };
  /** The same guard as that of deliveries. */
  readonly addresses: Pick<AddressGuard, 'for'>;
  readonly now?: () => number;
}

/** The request that creates an endpoint. */
interface Source {
  readonly requestKey?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly createdByKey?: string | undefined;
}

/** A new secret is shown only once. */
export interface WithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

const { maxEndpointsPerAccount, maxSecretsPerEndpoint, maxUrlLength } = limits.webhooks;

export class WebhookService {
  constructor(private readonly services: WebhookServices) {}

  /**
   * Creates an endpoint, or shows the one that the same request created before.
   * @param source.requestKey the Idempotency-Key of the request, from which the id follows.
   * @param source.createdBy id of the user
   * @param source.createdByKey id of the API key
   * @throws OperatorError
   */
  async create(
    accountId: string,
    settings: WebhookSettings,
    { requestKey, createdBy, createdByKey }: Source = {},
  ): Promise<WithSecret & { readonly isRepeat: boolean }> {
    const { store, now = Date.now } = this.services;
    const account = await this.account(accountId);
    check(settings, account);
    if (settings.type === 'async' && settings.onFailure !== undefined) {
      const details = wrongValue('onFailure', 'syncOnly');
      throw new OperatorError('Only a synchronous endpoint takes onFailure', 'INVALID_PARAMETERS', details);
    }
    if (settings.type === 'sync') checkFailurePolicy(settings);
    this.checkAddress(settings.url, account);
    const suffix =
      requestKey === undefined ? randomBase62(20) : derivedBase62(`${accountId} ${requestKey}`, 20);
    const id = `wh_${suffix}`;
    const secret = newSecret();
    const sealed = this.seal(secret, accountId, id);
    const endpoint = {
      id,
      ...settings,
      urlBy: createdBy,
      secretBy: createdBy,
      createdByKey,
      secret: sealed,
      createdAt: now(),
    };
    const outcome = await store.addEndpoint(accountId, endpoint, maxEndpointsPerAccount);
    if (outcome === 'known') return { ...(await this.repeated(accountId, id, settings)), isRepeat: true };
    if (outcome === 'full') {
      throw new OperatorError(
        `The account already has ${maxEndpointsPerAccount} webhook endpoints, the maximum`,
        'INVALID_PARAMETERS',
        { reason: 'maximum', values: { limit: maxEndpointsPerAccount } },
      );
    }
    return { endpoint, secret, isRepeat: false };
  }

  /** @throws OperatorError */
  async list(accountId: string): Promise<WebhookEndpoint[]> {
    await this.account(accountId);
    return this.services.store.listEndpoints(accountId);
  }

  /** @throws OperatorError */
  async find(accountId: string, id: string): Promise<WebhookEndpoint> {
    const endpoint = await this.services.store.findEndpoint(accountId, id);
    if (!endpoint) throw noEndpoint(accountId, id);
    return endpoint;
  }

  /** @param changedBy id of the member, recorded as the author of a changed URL. @throws OperatorError */
  async update(
    accountId: string,
    id: string,
    change: Partial<WebhookSettings>,
    changedBy?: string,
  ): Promise<WebhookEndpoint> {
    const account = await this.account(accountId);
    // A new address starts without a record of failures.
    if (change.url !== undefined) {
      this.checkAddress(change.url, account);
      await this.services.log.clearHealth(accountId, id);
    }
    return this.change(accountId, id, (before) => {
      // Forms send the URL with every change. A member who leaves it as it is did not choose it.
      const isNew = change.url !== undefined && change.url !== before.url;
      const after = { ...before, ...change, urlBy: isNew ? changedBy : before.urlBy };
      check(after, account);
      if (before.type === 'async' && after.type === 'sync') checkFailurePolicy(after);
      return after;
    });
  }

  /**
   * Gives an endpoint a new secret. During the grace period all earlier secrets keep signing, so that receivers can switch
   * at any time, even if the last secret never reached them. Without a grace period they end at once.
   * @param rolledBy id of the member who gets the new secret
   * @throws OperatorError
   */
  async rollSecret(
    accountId: string,
    id: string,
    graceSeconds: number,
    rolledBy?: string,
  ): Promise<WithSecret> {
    const { now = Date.now } = this.services;
    const secret = newSecret();
    const sealed = this.seal(secret, accountId, id);
    const until = now() + 1000 * graceSeconds;
    const endpoint = await this.change(accountId, id, ({ earlierSecrets = [], ...before }) => {
      const rolled = { ...before, secretBy: rolledBy, secret: sealed, rolledAt: now() };
      if (graceSeconds === 0) return rolled;
      const earlier = { secret: before.secret, until, by: before.secretBy };
      const signing = [...inForce(earlierSecrets, now()), earlier];
      if (signing.length >= maxSecretsPerEndpoint) {
        throw new OperatorError(
          `The endpoint already signs with ${signing.length} secrets, the maximum: wait until one expires, or roll without a grace period, which ends the earlier ones at once`,
        );
      }
      return { ...rolled, earlierSecrets: signing };
    });
    return { endpoint, secret };
  }

  /** Stops all deliveries to an endpoint. Those that wait become dead letters when they are due. @throws OperatorError */
  disable(accountId: string, id: string, because: DisabledBecause): Promise<WebhookEndpoint> {
    const { now = Date.now } = this.services;
    const disabled = { at: now(), because };
    // The first reason stays.
    return this.change(accountId, id, (before) => ({ disabled, ...before }));
  }

  /** @throws OperatorError */
  async enable(accountId: string, id: string): Promise<WebhookEndpoint> {
    await this.services.log.clearHealth(accountId, id);
    return this.change(accountId, id, ({ disabled: _, ...before }) => before);
  }

  /** @throws OperatorError */
  async remove(accountId: string, id: string): Promise<void> {
    if (!(await this.services.store.removeEndpoint(accountId, id))) throw noEndpoint(accountId, id);
  }

  /**
   * Separate from `check`, so that other settings of an endpoint with a refused address can still change.
   * @throws OperatorError
   */
  private checkAddress(text: string, account: Account): void {
    const url = parseEndpointUrl(text);
    try {
      this.services.addresses.for(account).checkHost(url.hostname);
    } catch {
      throw new OperatorError(
        `Events cannot be delivered to ${url.hostname}: it is not a public address. If it is one of your own network, add it to WEBHOOK_ALLOWED_ADDRESSES; if it is this machine, run accounts update --account ${account.id} --local-webhooks true`,
        'INVALID_PARAMETERS',
        wrongValue('url', 'publicUrl'),
      );
    }
  }

  /**
   * The endpoint that an earlier request with the same key created.
   * @throws OperatorError if it has other settings, or a secret that somebody else rolled since
   */
  private async repeated(accountId: string, id: string, wanted: WebhookSettings): Promise<WithSecret> {
    const { vault, now = Date.now } = this.services;
    const endpoint = await this.find(accountId, id);
    const isSame = settingsText(endpoint) === settingsText(wanted) && endpoint.rolledAt === undefined;
    if (!isSame || !isRepeatable(endpoint, now())) throw usedFor('webhook endpoint');
    return { endpoint, secret: secretsOf(vault, accountId, endpoint, now()).at(-1) as string };
  }

  private async change(
    accountId: string,
    id: string,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint> {
    const endpoint = await this.services.store.updateEndpoint(accountId, id, change);
    if (!endpoint) throw noEndpoint(accountId, id);
    return endpoint;
  }

  private seal(secret: string, accountId: string, id: string): string {
    return this.services.vault.seal(secret, placeOf(accountId, id));
  }

  private async account(id: string): Promise<Account> {
    const account = await this.services.accounts.findAccount(id);
    if (!account) throw noAccount(id);
    return account;
  }
}

/** @param secret KEY_SECRET */
export const webhookVault = (secret: string) => new Vault(secret, `${brand.slug} webhook secrets`);

/** The place of an endpoint's secret, which the vault seals it for. */
export const placeOf = (accountId: string, id: string) => `${accountId} ${id}`;

const inForce = (secrets: readonly EarlierSecret[], now: number) =>
  secrets.filter(({ until }) => now < until);

/**
 * The secrets that sign for an endpoint now, oldest first.
 * @throws Error if they were sealed with another KEY_SECRET
 */
export function secretsOf(
  vault: Vault,
  accountId: string,
  { id, secret, earlierSecrets = [] }: WebhookEndpoint,
  now: number,
): [...string[], string] {
  const open = (sealed: string) => vault.open(sealed, placeOf(accountId, id));
  return [...inForce(earlierSecrets, now).map((earlier) => open(earlier.secret)), open(secret)];
}

type EventKind = Pick<WebhookEvent, 'eventType' | 'mode'>;

/** Whether an endpoint was made for an event. */
const isFor = (
  { events, mode: wanted = 'both' }: WebhookEndpoint,
  { eventType, mode = 'live' }: EventKind,
): boolean => events.includes(eventType) && (wanted === 'both' || wanted === mode);

/** Whether an endpoint gets an event. */
export const subscribes = (endpoint: WebhookEndpoint, event: EventKind): boolean =>
  !endpoint.disabled && isFor(endpoint, event);

/** The decision that counts if a synchronous endpoint gives none. */
export const fallbackOf = ({
  onFailure = 'continue',
}: {
  readonly onFailure?: OnFailure | undefined;
}): OnFailure => onFailure;

/**
 * Whether a session waits for an endpoint. One that failures disabled refuses sessions, if that is its decision when it
 * fails: only people, who disable it on purpose, let sessions run without it.
 */
export const decides = (endpoint: WebhookEndpoint, event: EventKind): boolean => {
  const { type, disabled } = endpoint;
  const isFailing =
    disabled !== undefined && disabled.because !== 'operator' && fallbackOf(endpoint) === 'reject';
  return type === 'sync' && isFor(endpoint, event) && (!disabled || isFailing);
};

/**
 * Whether a key of a mode may see an endpoint: one that gets events of its sessions. Endpoints for events of the account
 * alone belong to the console.
 */
export const isVisibleTo = (mode: KeyMode, { mode: wanted = 'both', events }: WebhookEndpoint) =>
  (wanted === 'both' || wanted === mode) && events.some((event) => eventIds.includes(event));

/** Whether a key of a mode may remove an endpoint that it sees: a test key must not affect what live sessions send. */
export const isRemovableBy = (mode: KeyMode, { mode: wanted }: WebhookEndpoint) =>
  mode === 'live' || wanted === 'test';

/** Ids of the users who chose the URL of an endpoint, or were shown a secret that signs for it now. */
export function makersOf(
  { urlBy, secretBy, earlierSecrets = [] }: WebhookEndpoint,
  now: number,
): ReadonlySet<string> {
  const ids = [urlBy, secretBy, ...inForce(earlierSecrets, now).map(({ by }) => by)];
  return new Set(ids.filter((id) => id !== undefined));
}

/** A new secret in the format of Standard Webhooks. */
const newSecret = () => `${secretPrefix}${randomBytes(32).toString('base64')}`;

export const noEndpoint = (accountId: string, id: string) =>
  new OperatorError(`The account ${accountId} has no webhook endpoint ${id}`, 'NOT_FOUND', {
    reason: 'webhook',
  });

const settingsText = ({ url, events, type, onFailure, mode }: WebhookSettings) =>
  JSON.stringify([url, events, type, type === 'sync' ? fallbackOf({ onFailure }) : undefined, mode]);

/** Whether a plan includes synchronous webhooks. */
export const includesSync = (plan: string): boolean =>
  plans.find(({ tier }) => tier === plan)?.allowSyncWebhook ?? false;

function check({ url, events, type }: WebhookSettings, { plan }: Account): void {
  parseEndpointUrl(url);
  const known = [...eventIds, ...accountEventIds];
  if (events.length === 0 || !events.every((event) => known.includes(event))) {
    throw new OperatorError(`An endpoint takes one or more of the events ${known.join(', ')}`);
  }
  if (type === 'sync' && !includesSync(plan)) {
    throw new OperatorError(`The plan ${plan} does not include synchronous webhooks`, 'PERMISSION_DENIED', {
      reason: 'plan',
      values: { feature: 'synchronous webhooks' },
    });
  }
}

/** @throws OperatorError without a decision for the case that the endpoint fails, which has no default */
function checkFailurePolicy({ onFailure }: Pick<WebhookSettings, 'onFailure'>): void {
  if (onFailure !== undefined) return;
  throw new OperatorError(
    'A synchronous endpoint needs onFailure (--on-failure): reject refuses a session if the endpoint fails, continue starts it',
    'INVALID_PARAMETERS',
    { reason: 'missing', values: { field: 'onFailure' } },
  );
}

/** Only traffic within the machine may go unencrypted. */
const localHosts = ['localhost', '127.0.0.1', '[::1]'];

/** @throws OperatorError */
function parseEndpointUrl(text: string): URL {
  const url = text.length <= maxUrlLength ? parseWebUrl(text) : undefined;
  if (!url || (url.protocol === 'http:' && !localHosts.includes(url.hostname)) || text.includes('#')) {
    throw new OperatorError(
      `The address must be an https URL of at most ${maxUrlLength} characters with a host, a port from 1 to 65535 if any, and neither a password nor a fragment; http is for localhost only`,
      'INVALID_PARAMETERS',
      wrongValue('url', 'webhookUrl'),
    );
  }
  return url;
}
