/** Accounts and API keys: who may call, and on whose behalf. */
import limits from '@presenza/contract/limits.json';
import { derivedBase62, randomBase62 } from '../../crypto/base62';
import { ApiError, OperatorError } from '../../errors';
import { wrongValue } from '../../errors/expectation';
import { AddressList } from '../../formats/addresses';
import type { ProductId } from '../contract/products';
import { inUse, isRepeatable, usedFor } from '../contract/repetition';
import { newestVersion } from '../contract/versions';
import type { Page, PageOf } from '../pages';
import { type PlanTier, type Terms, termsOf } from '../plans/terms';
import {
  type Account,
  type AccountChange,
  type AccountStore,
  auditImageDaysOf,
  changeAccount,
  checkName,
  checkPlan,
  noAccount,
} from './accounts';
import { generateKey, hashKey, type KeyMode } from './api-key';
import { checkScope, endOf, type KeyRecord, type KeyScope, narrowed, sameScope } from './key-records';

export type { Account } from './accounts';

/** The authenticated caller of a request. */
export interface Principal {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly plan: PlanTier;
  readonly terms: Terms;
  /** Absent: every product. */
  readonly products?: readonly ProductId[];
  /** Absent: requests may come from anywhere. */
  readonly cidrs?: AddressList;
  readonly suspended?: boolean;
  /** See `Account`. */
  readonly apiVersion?: string;
  readonly returnSchemes?: readonly string[];
  readonly livenessPolicy?: Account['livenessPolicy'];
  /** Whether it may read audit images. */
  readonly auditImages?: boolean;
  /** Id of the user who created the key, or who uses the playground in place of a key. */
  readonly createdBy?: string;
  /** Days for which sessions of the account keep an audit image; absent: they keep none. */
  readonly auditImageDays?: number;
}

/** A valid key, and when it expires. */
export interface KnownKey {
  readonly principal: Principal;
  /** Milliseconds since 1970; absent: never. */
  readonly expiresAt?: number;
}

/** A new key. */
export interface NewKey {
  /** The key itself, which is shown only once and never stored. */
  readonly apiKey: string;
  readonly keyId: string;
}

interface NewRecord {
  /** Default: a random one. */
  readonly id?: string | undefined;
  /** The record that it replaces. */
  readonly before?: KeyRecord | undefined;
  readonly createdBy: string | undefined;
  readonly createdByKey?: string | undefined;
}

/** The store that the service needs. */
export interface KeyStore extends AccountStore {
  /**
   * Replaces the record `before`, or if the account has `most` keys already, the key that ended first.
   * @returns `changed` if the id now has another record.
   */
  addKey(
    record: KeyRecord,
    options: { before?: KeyRecord | undefined; most: number; now: number },
  ): Promise<'added' | 'full' | 'changed'>;
  /** Oldest first. */
  listKeys(accountId: string): Promise<KeyRecord[]>;
  /** When each key was last used, to the minute, in milliseconds since 1970. */
  lastUses(accountId: string): Promise<ReadonlyMap<string, number>>;
  /** Changes one key as `updateAccount` changes an account. */
  updateKey(
    accountId: string,
    keyId: string,
    change: (record: KeyRecord) => KeyRecord,
  ): Promise<KeyRecord | undefined>;
  /** Finds the key with this hash and its account. Takes the same work if there is none. */
  findKey(hash: string): Promise<{ key: KeyRecord; account: Account } | undefined>;
}

/** The caller with a key of an account. */
export function principalOf(
  account: Account,
  key: Pick<KeyRecord, 'id' | 'mode' | 'products' | 'cidrs' | 'auditImages' | 'createdBy'>,
): Principal {
  const { plan, overrides, suspended, apiVersion, returnSchemes, livenessPolicy } = account;
  const auditImageDays = auditImageDaysOf(account);
  return {
    accountId: account.id,
    keyId: key.id,
    mode: key.mode,
    plan,
    terms: termsOf(plan, overrides),
    ...(key.products && { products: key.products }),
    ...(key.cidrs && { cidrs: new AddressList(key.cidrs) }),
    ...(suspended && { suspended }),
    ...(apiVersion !== undefined && { apiVersion }),
    ...(returnSchemes && { returnSchemes }),
    ...(livenessPolicy && { livenessPolicy }),
    ...(key.auditImages && { auditImages: true }),
    ...(key.createdBy !== undefined && { createdBy: key.createdBy }),
    ...(auditImageDays !== undefined && { auditImageDays }),
  };
}

export class KeyService {
  constructor(
    private readonly store: KeyStore,
    private readonly secret: string,
    private readonly now: () => number = Date.now,
  ) {}

  /** @throws OperatorError */
  async createAccount(name: string, plan: PlanTier): Promise<Account> {
    checkPlan(plan);
    const account: Account = {
      id: `acc_${randomBase62(20)}`,
      name: checkName(name, limits.accounts.maxNameLength),
      plan,
      createdAt: this.now(),
      apiVersion: newestVersion,
    };
    await this.store.addAccount(account);
    return account;
  }

  listAccounts(page: PageOf): Promise<Page<Account>> {
    return this.store.listAccounts(page);
  }

  /** @throws OperatorError if it does not exist */
  async findAccount(id: string): Promise<Account> {
    const account = await this.store.findAccount(id);
    if (!account) throw noAccount(id);
    return account;
  }

  /** The change takes effect on every gateway within a second. @throws OperatorError */
  async updateAccount(id: string, change: AccountChange): Promise<Account> {
    const account = await this.store.updateAccount(id, (before) => changeAccount(before, change, this.now()));
    if (!account) throw noAccount(id);
    return account;
  }

  /** @param createdBy id of the member who creates it. @throws OperatorError */
  async createKey(
    accountId: string,
    mode: KeyMode,
    scope: KeyScope = {},
    createdBy?: string,
  ): Promise<NewKey> {
    this.checkScope(scope);
    await this.findAccount(accountId);
    const { apiKey, keyId } = await this.addKey(accountId, mode, scope, { createdBy });
    return { apiKey, keyId };
  }

  /**
   * Creates a key on behalf of its maker, in the maker's mode and within its scope. A repeated request gives the key that
   * it created a new text, because nobody can show the old one: the id follows from the request's Idempotency-Key.
   * @throws OperatorError, also while the same request is running, or ApiError INVALID_API_KEY if the maker has just ended
   */
  async createKeyFor(
    { accountId, mode, keyId }: Pick<Principal, 'accountId' | 'mode' | 'keyId'>,
    wanted: KeyScope,
    requestKey?: string,
  ): Promise<NewKey & { readonly record: KeyRecord; readonly isRepeat: boolean }> {
    this.checkScope(wanted);
    const keys = await this.listKeys(accountId);
    const maker = keys.find(({ id }) => id === keyId);
    if (!maker || endOf(maker) <= this.now()) throw new ApiError('INVALID_API_KEY');
    const scope = narrowed(maker, wanted);
    const id = requestKey === undefined ? undefined : derivedKeyId(`${accountId} ${requestKey}`);
    const known = keys.find((key) => key.id === id);
    if (
      known &&
      (!sameScope(known, scope) || endOf(known) <= this.now() || !isRepeatable(known, this.now()))
    ) {
      throw usedFor('key');
    }
    const { createdBy } = maker;
    const made = await this.addKey(accountId, mode, scope, {
      createdBy,
      createdByKey: keyId,
      id,
      before: known,
    });
    return { ...made, isRepeat: known !== undefined };
  }

  /** @throws OperatorError */
  async listKeys(accountId: string): Promise<KeyRecord[]> {
    await this.findAccount(accountId);
    return this.store.listKeys(accountId);
  }

  /** @throws OperatorError */
  async findKey(accountId: string, keyId: string): Promise<KeyRecord> {
    const key = (await this.listKeys(accountId)).find(({ id }) => id === keyId);
    if (!key) throw noKey(accountId, keyId);
    return key;
  }

  /** When keys of the account were last used, by their ids. Keys that were never used are missing. */
  lastUses(accountId: string): Promise<ReadonlyMap<string, number>> {
    return this.store.lastUses(accountId);
  }

  /**
   * Creates a key with the scope of the old one, which keeps working for a grace period.
   * @param graceSeconds 0 to `limits.keys.maxRollGraceSeconds`.
   * @param createdBy id of the member who gets the new key.
   * @throws OperatorError
   */
  async rollKey(
    accountId: string,
    keyId: string,
    graceSeconds: number = limits.keys.rollGraceSeconds,
    createdBy?: string,
  ): Promise<NewKey & { readonly oldKeyExpiresAt: number }> {
    const old = await this.findKey(accountId, keyId);
    this.checkRoll(old);
    const { name, products, cidrs, expiresAt, auditImages } = old;
    const scope = {
      ...(name !== undefined && { name }),
      ...(products && { products }),
      ...(cidrs && { cidrs }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(auditImages && { auditImages }),
    };
    const made = await this.addKey(accountId, old.mode, scope, { createdBy });
    const rolled = await this.store
      .updateKey(accountId, keyId, (before) => {
        this.checkRoll(before);
        const end = Math.min(endOf(before), this.now() + graceSeconds * 1000);
        return { ...before, expiresAt: end, rolledTo: made.keyId };
      })
      .catch(async (error) => {
        // Another caller rolled or revoked the key in the meantime. Nobody sees the new key, so it must not work.
        await this.revokeKey(accountId, made.keyId);
        throw error;
      });
    if (!rolled) throw noKey(accountId, keyId);
    return { apiKey: made.apiKey, keyId: made.keyId, oldKeyExpiresAt: endOf(rolled) };
  }

  /** Revokes a key at once; revoking it again has no effect. @throws OperatorError */
  async revokeKey(accountId: string, keyId: string): Promise<KeyRecord> {
    const revoke = (before: KeyRecord) => ({ ...before, revokedAt: before.revokedAt ?? this.now() });
    const record = await this.store.updateKey(accountId, keyId, revoke);
    if (!record) throw noKey(accountId, keyId);
    return record;
  }

  /** Replaces texts in the names of keys. @param replace returns names that stay as they are */
  async replaceInNames(accountId: string, replace: (name: string) => string): Promise<void> {
    const rename = ({ name, ...record }: KeyRecord) => ({
      ...record,
      ...(name !== undefined && { name: replace(name) }),
    });
    const keys = await this.store.listKeys(accountId);
    const named = keys.filter(({ name }) => name !== undefined && replace(name) !== name);
    await Promise.all(named.map(({ id }) => this.store.updateKey(accountId, id, rename)));
  }

  /** The principal of a key; undefined for malformed, unknown, expired and revoked keys. */
  async authenticate(key: string): Promise<Principal | undefined> {
    return (await this.identify(hashKey(key, this.secret)))?.principal;
  }

  /**
   * Looks up a key by its hash. Every invalid key costs the same two round trips, so that the time of a response does
   * not reveal why it is invalid.
   */
  async identify(hash: string): Promise<KnownKey | undefined> {
    const known = await this.store.findKey(hash);
    if (!known || endOf(known.key) <= this.now()) return undefined;
    const { key, account } = known;
    return {
      principal: principalOf(account, key),
      ...(key.expiresAt !== undefined && { expiresAt: key.expiresAt }),
    };
  }

  private async addKey(
    accountId: string,
    mode: KeyMode,
    scope: KeyScope,
    { id = `key_${randomBase62(idLength)}`, before, createdBy, createdByKey }: NewRecord,
  ): Promise<NewKey & { readonly record: KeyRecord }> {
    const apiKey = generateKey(mode);
    const hash = hashKey(apiKey, this.secret);
    const createdAt = before?.createdAt ?? this.now();
    const maker = {
      ...(createdBy !== undefined && { createdBy }),
      ...(createdByKey !== undefined && { createdByKey }),
    };
    const record: KeyRecord = { ...scope, ...maker, id, accountId, mode, hash, createdAt };
    const { maxPerAccount } = limits.keys;
    const outcome = await this.store.addKey(record, { before, most: maxPerAccount, now: this.now() });
    if (outcome === 'changed') throw inUse('key');
    if (outcome === 'full') {
      throw new OperatorError(
        `The account already has ${maxPerAccount} keys that work, the most there can be; revoke one first`,
        'INVALID_PARAMETERS',
        { reason: 'maximum', values: { limit: maxPerAccount } },
      );
    }
    return { apiKey, keyId: id, record };
  }

  private checkScope(scope: KeyScope): void {
    checkScope(scope);
    if (scope.expiresAt === undefined || scope.expiresAt > this.now()) return;
    throw new OperatorError(
      'A key must expire in the future',
      'INVALID_PARAMETERS',
      wrongValue('expiresAt', 'future'),
    );
  }

  private checkRoll(key: KeyRecord): void {
    if (key.rolledTo) throw new OperatorError(`The key ${key.id} was rolled already, to ${key.rolledTo}`);
    if (endOf(key) <= this.now()) throw new OperatorError(`The key ${key.id} no longer works`);
  }
}

const idLength = 20;
const derivedKeyId = (text: string) => `key_${derivedBase62(text, idLength)}`;

const noKey = (accountId: string, keyId: string) =>
  new OperatorError(`The account ${accountId} has no key ${keyId}`, 'NOT_FOUND', { reason: 'key' });
