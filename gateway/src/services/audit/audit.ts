/** Records who changed what, and the outcome. Entries contain no key, no secret and no image. */
import type { RequestErrorCode } from '../../errors';
import type { Page, PageOf } from '../pages';

export interface AuditRecord {
  /**
   * `cli:` and the name of the system's user; `api` and, if the caller gave one, a name; `key:` and the id of an API key;
   * `user:` and the id of a person in the console, `operator:` if the person acted as an operator; `gateway` for a change
   * that a receiver of webhooks caused; `console` for an erasure that a person asked for.
   */
  readonly actor: string;
  /** Its name on the command line. */
  readonly operation: string;
  /** `begun` is recorded before every change, the outcome after it. Without an outcome, it is unknown. Reading has only one. */
  readonly outcome: 'begun' | 'done' | RequestErrorCode;
  readonly accountId?: string;
  /** Ids of what was changed, by name. */
  readonly ids?: Readonly<Record<string, string>>;
  /** New values, by field. */
  readonly changes?: Readonly<Record<string, unknown>>;
}

export interface AuditEntry extends AuditRecord {
  /** ISO 8601, on the store's clock. */
  readonly time: string;
}

export interface AuditLog {
  record(entry: AuditRecord): Promise<void>;
  /** Newest first, of one account or of all. A page may be shorter than its limit and still have a next one. */
  list(page: PageOf & { readonly accountId?: string }): Promise<Page<AuditEntry>>;
  /** Removes the entries about an account. @returns how many there were */
  erase(accountId: string): Promise<number>;
  /**
   * Replaces texts in the log of one account. Without an account, it replaces them in the log of operators and in the one
   * that all accounts share. Entries are never removed, so that people cannot hide actions by naming themselves.
   * @param replace returns texts that stay as they are
   */
  replaceTexts(accountId: string | undefined, replace: (text: string) => string): Promise<void>;
}
