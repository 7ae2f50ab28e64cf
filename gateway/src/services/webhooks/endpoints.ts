/** Webhook endpoints of an account: where its events go to, and the secrets that they are signed with. */
import { randomBytes } from 'node:crypto';
import events from '@presenza/contract/events.json';
import limits from '@presenza/contract/limits.json';
import plans from '@presenza/contract/plans.json';
import { randomBase62 } from '../base62';
import { type Account, noAccount } from '../keys/accounts';
import { Refusal } from '../refusal';
import type { Vault } from '../vault';

export const eventIds: readonly string[] = events.map(({ id }) => id);
export const webhookTypes = ['async', 'sync'] as const;
/** `sync`: the receiver's answer is waited for and may end the session. */
export type WebhookType = (typeof webhookTypes)[number];

export interface WebhookEndpoint {
  readonly id: string;
  readonly url: string;
  /** Ids of `events.json`. */
  readonly events: readonly string[];
  readonly type: WebhookType;
  /** Sealed for this account and endpoint. */
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** What may be said of an endpoint. */
export interface WebhookSettings {
  readonly url: string;
  readonly events: readonly string[];
  readonly type: WebhookType;
}

export interface WebhookStore {
  /** Adds in one step, so that two at once cannot exceed the bound. */
  addEndpoint(accountId: string, endpoint: WebhookEndpoint, most: number): Promise<'added' | 'full'>;
  /** Oldest first. */
  listEndpoints(accountId: string): Promise<WebhookEndpoint[]>;
  /** Replaces an endpoint in one step; undefined when there is none. */
  updateEndpoint(
    accountId: string,
    id: string,
    change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  ): Promise<WebhookEndpoint | undefined>;
  /** @returns whether there was one. */
  removeEndpoint(accountId: string, id: string): Promise<boolean>;
}

export interface WebhookServices {
  readonly store: WebhookStore;
  readonly accounts: { findAccount(id: string): Promise<Account | undefined> };
  readonly vault: Vault;
  readonly now?: () => number;
}

/** An endpoint with the secret that is shown this once. */
export interface WithSecret {
  readonly endpoint: WebhookEndpoint;
  readonly secret: string;
}

const { maxEndpointsPerAccount, maxUrlLength } = limits.webhooks;

export class WebhookService {
  constructor(private readonly services: WebhookServices) {}

  /** @throws Refusal */
  async create(accountId: string, { url, events, type }: WebhookSettings): Promise<WithSecret> {
    const { store, now = Date.now } = this.services;
    check({ url, events, type }, await this.account(accountId));
    const id = `wh_${randomBase62(20)}`;
    const secret = newSecret();
    const endpoint = { id, url, events, type, secret: this.seal(secret, accountId, id), createdAt: now() };
    if ((await store.addEndpoint(accountId, endpoint, maxEndpointsPerAccount)) === 'full') {
      throw new Refusal(
        `The account already has ${maxEndpointsPerAccount} webhook endpoints, the most there can be`,
      );
    }
    return { endpoint, secret };
  }

  /** @throws Refusal */
  async list(accountId: string): Promise<WebhookEndpoint[]> {
    await this.account(accountId);
    return this.services.store.listEndpoints(accountId);
  }

  /** @throws Refusal */
  async update(accountId: string, id: string, change: Partial<WebhookSettings>): Promise<WebhookEndpoint> {
    const account = await this.account(accountId);
    return this.change(accountId, id, (before) => {
      const after = { ...before, ...change };
      check(after, account);
      return after;
    });
  }

  /** Gives an endpoint a new secret at once. @throws Refusal */
  async rollSecret(accountId: string, id: string): Promise<WithSecret> {
    const secret = newSecret();
    const sealed = this.seal(secret, accountId, id);
    return {
      endpoint: await this.change(accountId, id, (before) => ({ ...before, secret: sealed })),
      secret,
    };
  }

  /** @throws Refusal */
  async remove(accountId: string, id: string): Promise<void> {
    if (!(await this.services.store.removeEndpoint(accountId, id))) throw noEndpoint(accountId, id);
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

/** Where the secret of an endpoint lies, for the vault. */
export const placeOf = (accountId: string, id: string) => `${accountId} ${id}`;

/** In the form of the Standard Webhooks. */
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const noEndpoint = (accountId: string, id: string) =>
  new Refusal(`The account ${accountId} has no webhook endpoint ${id}`, 'NOT_FOUND');

function check({ url, events, type }: WebhookSettings, { plan }: Account): void {
  checkUrl(url);
  if (events.length === 0 || !events.every((event) => eventIds.includes(event))) {
    throw new Refusal(`An endpoint takes one or more of the events ${eventIds.join(', ')}`);
  }
  if (type === 'sync' && !plans.find(({ tier }) => tier === plan)?.allowSyncWebhook) {
    throw new Refusal(`The plan ${plan} does not include synchronous webhooks`);
  }
}

/** Only what stays on the machine may go unencrypted. */
const localHosts = ['localhost', '127.0.0.1', '[::1]'];

function checkUrl(text: string): void {
  const url = text.length <= maxUrlLength && URL.canParse(text) ? new URL(text) : undefined;
  const safe = url?.protocol === 'https:' || (url?.protocol === 'http:' && localHosts.includes(url.hostname));
  if (!url || !safe || url.username !== '' || url.password !== '' || text.includes('#')) {
    throw new Refusal(
      `The address must be an https URL of at most ${maxUrlLength} characters, without a password and without a fragment; http is for localhost only`,
    );
  }
}
