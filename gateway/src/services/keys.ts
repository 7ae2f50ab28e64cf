/** Accounts and API keys: who may call, and on whose behalf. */
import { generateKey, hashKey, isWellFormed, type KeyMode } from './api-key';
import { randomBase62 } from './base62';
import { type Overrides, type PlanTier, type Terms, termsOf } from './terms';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: PlanTier;
  readonly overrides?: Overrides;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly createdAt: number;
  /** Milliseconds since 1970; absent: never. */
  readonly expiresAt?: number;
}

/** The caller of a request, once its key is known. */
export interface Principal {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly plan: PlanTier;
  readonly terms: Terms;
}

/** What the service needs of a store. Keys are known by their hash alone. */
export interface KeyStore {
  addAccount(account: Account): Promise<void>;
  findAccount(id: string): Promise<Account | undefined>;
  addKey(hash: string, record: KeyRecord): Promise<void>;
  findKey(hash: string): Promise<KeyRecord | undefined>;
}

export class KeyService {
  constructor(
    private readonly store: KeyStore,
    private readonly secret: string,
    private readonly now: () => number = Date.now,
  ) {}

  async createAccount(name: string, plan: PlanTier): Promise<Account> {
    const account: Account = { id: `acc_${randomBase62(20)}`, name, plan, createdAt: this.now() };
    await this.store.addAccount(account);
    return account;
  }

  /**
   * @returns the key itself, which is shown this once and never stored.
   * @throws Error when the account does not exist.
   */
  async createKey(
    accountId: string,
    mode: KeyMode,
    expiresAt?: number,
  ): Promise<{ apiKey: string; keyId: string }> {
    if (!(await this.store.findAccount(accountId))) throw new Error(`There is no account ${accountId}`);
    const apiKey = generateKey(mode);
    const keyId = `key_${randomBase62(20)}`;
    await this.store.addKey(hashKey(apiKey, this.secret), {
      id: keyId,
      accountId,
      mode,
      createdAt: this.now(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    });
    return { apiKey, keyId };
  }

  /** The caller behind a key; undefined when the key is malformed, unknown or expired. */
  async authenticate(key: string): Promise<Principal | undefined> {
    if (!isWellFormed(key)) return undefined;
    const record = await this.store.findKey(hashKey(key, this.secret));
    if (!record || (record.expiresAt !== undefined && record.expiresAt <= this.now())) return undefined;
    const account = await this.store.findAccount(record.accountId);
    if (!account) return undefined;
    const { id: accountId, plan, overrides } = account;
    return { accountId, keyId: record.id, mode: record.mode, plan, terms: termsOf(plan, overrides) };
  }
}
