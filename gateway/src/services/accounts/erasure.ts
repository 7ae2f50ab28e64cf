/**
 * Erases accounts and people. The erasure of an account is a job in the store: any gateway finishes one that a crash cut
 * off, and an hour later erases what requests under way have still written.
 */
import { forEach } from '../../async/for-each';
import { randomBase62 } from '../../crypto/base62';
import { ConsoleError } from '../../errors';
import type { AuditLog } from '../audit/audit';
import { accountsAtOnce, everyAccount } from '../billing/every-account';
import type { InvoiceStore } from '../billing/invoices';
import { eraserOf, finderOf } from '../identity/email';
import type { Identity } from '../identity/identity';
import { type MailName, mailOf } from '../identity/mail';
import type { Members } from '../identity/member-store';
import { invitationsOf, peopleOf } from '../identity/members';
import type { User } from '../identity/users';
import { newAccountName } from '../keys/account-name';
import type { Account } from '../keys/accounts';
import type { KeyService } from '../keys/keys';
import type { Role } from '../rights/roles';
import { isoTime } from '../timing/iso-time';

/** Numbers of what was erased, by kind. */
export type Erased = Readonly<Record<string, number>>;

export interface Receipt {
  readonly number: string;
  /** ISO 8601 */
  readonly at: string;
  readonly erased: Erased;
}

export interface ErasureJob extends Pick<Account, 'id' | 'name' | 'createdAt'> {
  /** Number of the receipt. */
  readonly number: string;
  /** Addresses that get the receipt. */
  readonly to: readonly string[];
}

export interface AccountEraser {
  /** Erases everything that is stored for the account. A repeated call erases what was added. */
  erase(account: Pick<Account, 'id' | 'createdAt'>): Promise<Erased>;
}

export interface ErasureStore {
  /** Keeps the job until it is done, for the case that this process dies. */
  begin(job: ErasureJob, dueAt: number): Promise<void>;
  /** Forgets the job, except for the account of a later pass. */
  repeat(account: Pick<Account, 'id' | 'createdAt'>, dueAt: number): Promise<void>;
  end(accountId: string): Promise<void>;
  due(now: number): Promise<(ErasureJob | Pick<Account, 'id' | 'createdAt'>)[]>;
  acquireLease(ms: number): Promise<boolean>;
}

export interface ErasureServices {
  readonly identity: Identity;
  readonly accounts: Pick<KeyService, 'findAccount' | 'listAccounts' | 'updateAccount' | 'replaceInNames'>;
  readonly audit: AuditLog;
  readonly eraser: AccountEraser;
  readonly store: ErasureStore;
  readonly operators: { forget(userId: string): Promise<void> };
  /** Where mails are kept if there is no mail server. */
  readonly mailbox: { forget(email: string): Promise<number> };
  /** Whether mails leave the service. Otherwise, they stay where operators read them. */
  readonly isMailed: boolean;
  /** The files of the store, which keep what was erased until they are rewritten. */
  readonly files: { rewriteSoon(): Promise<void> };
  readonly invoices: Pick<InvoiceStore, 'renameCustomer'>;
  /** Absent without payments. */
  readonly payments?: { end(account: Account): Promise<void> } | undefined;
}

const [minute, hour] = [60_000, 60 * 60_000];
/** An erasure takes longer only if its process died. */
const takeoverMs = 10 * minute;
/** Longer than any request or lease. */
const secondPassMs = hour;
const numberLength = 16;
const erasuresAtOnce = 4;
const actor = 'console';

export class Erasure {
  constructor(private readonly services: ErasureServices) {}

  /** Erases an account and mails the receipt to its owners. @throws OperatorError, ApiError SERVICE_UNAVAILABLE */
  async eraseAccount(accountId: string): Promise<Receipt> {
    const people = await peopleOf(this.services.identity, accountId);
    const owners = people.filter(({ role }) => role === 'owner');
    return this.begin(
      accountId,
      owners.map(({ email }) => email),
    );
  }

  /**
   * Erases a person, and the accounts that have no other member, and mails the receipt.
   * @throws ConsoleError LAST_OWNER if an account with other members would have no owner, ApiError SERVICE_UNAVAILABLE
   */
  async erasePerson(user: User): Promise<Receipt> {
    const { identity, operators, mailbox, isMailed, files } = this.services;
    const { members, users, signIns, clients, tickets, mailer } = identity;
    const accounts = await members.accountsOf(user.id);
    const erased: Record<string, number> = { people: 1 };
    for (const id of await this.leaveShared(user.id, accounts)) {
      const { erased: more } = await this.begin(id, []);
      for (const [kind, count] of Object.entries(more)) erased[kind] = (erased[kind] ?? 0) + count;
    }
    await this.eraseAddress(user.email);
    await operators.forget(user.id);
    const owners = [user.id, user.email, ...accounts.map((id) => invitationsOf(id, user.id))];
    await Promise.all([
      ...owners.map((owner) => tickets.revoke(owner)),
      members.forget(user.id),
      clients.forget(user),
    ]);
    await mailbox.forget(user.email);
    // These come last, so that the person can repeat an erasure that was cut off.
    await files.rewriteSoon();
    await users.remove(user.id);
    await signIns.endAll(user);
    const receipt = this.receipt(newNumber(), erased);
    await this.record('profile erase', receipt);
    // The response has the receipt too. A mail that stayed here would name the person again.
    if (isMailed) mailer.send(receiptMail('personErased', user.email, receipt));
    // A rewrite may have begun meanwhile. If this fails, the daily rewrite follows, and the person still gets the receipt.
    await files.rewriteSoon().catch(() => {});
    return receipt;
  }

  /**
   * Erases an email address where accounts of others may have it: in their names and those of their keys, in invoices from
   * the time of such a name, and in their logs. A person may have left an account long ago, and a log outlives the names
   * in it, so this looks at all of them.
   */
  private async eraseAddress(email: string): Promise<void> {
    const { accounts, audit, invoices } = this.services;
    const isNamed = finderOf(email);
    const erase = eraserOf(email);
    await forEach(everyAccount(accounts), accountsAtOnce, async ({ id, name }) => {
      await invoices.renameCustomer(id, isNamed, newAccountName);
      await accounts.replaceInNames(id, erase);
      await audit.replaceTexts(id, erase);
      if (isNamed(name)) await accounts.updateAccount(id, { name: newAccountName() });
    });
    await audit.replaceTexts(undefined, erase);
  }

  /**
   * Removes a person from all accounts with other members, or from none. Others may leave at the same time, so the store
   * decides at each removal, and a refusal restores the earlier ones.
   * @returns the accounts without another member
   * @throws ConsoleError LAST_OWNER
   */
  private async leaveShared(userId: string, accounts: readonly string[]): Promise<string[]> {
    const { members } = this.services.identity;
    const before = await Promise.all(accounts.map((id) => members.membersOf(id)));
    if (before.some((all) => isStuck(all, userId))) throw new ConsoleError('LAST_OWNER');
    const ownedAlone: string[] = [];
    const left: (readonly [id: string, role: Role])[] = [];
    for (const [i, id] of accounts.entries()) {
      if ((await members.change(id, userId, undefined, 0)) === 'changed') {
        const role = before[i]?.[userId];
        if (role) left.push([id, role]);
      } else if (isStuck(await members.membersOf(id), userId)) {
        for (const [accountId, role] of left)
          await members.change(accountId, userId, role, Number.MAX_SAFE_INTEGER);
        throw new ConsoleError('LAST_OWNER');
      } else ownedAlone.push(id);
    }
    return ownedAlone;
  }

  /**
   * Finishes erasures that were cut off, and makes the later passes that are due.
   * @throws the first failure, after all that are due
   */
  async sweep(everyMs: number): Promise<void> {
    const { store, identity } = this.services;
    if (!(await store.acquireLease(everyMs / 2))) return;
    const due = await store.due(identity.now());
    await forEach(due, erasuresAtOnce, (job) => ('number' in job ? this.finish(job) : this.repeat(job)));
  }

  private async repeat(account: Pick<Account, 'id' | 'createdAt'>): Promise<void> {
    const { store, eraser, audit, files } = this.services;
    await eraser.erase(account);
    await audit.erase(account.id);
    await store.end(account.id);
    await files.rewriteSoon();
  }

  private async begin(accountId: string, to: readonly string[]): Promise<Receipt> {
    const { accounts, store, audit, identity, payments } = this.services;
    const account = await accounts.findAccount(accountId);
    const { id, name, createdAt } = account;
    // The subscription ends first: nobody could end that of an account that is gone.
    await payments?.end(account);
    const job = { id, name, createdAt, number: newNumber(), to };
    await audit.record({ actor, operation: 'accounts erase', outcome: 'begun', accountId });
    await store.begin(job, identity.now() + takeoverMs);
    return this.finish(job);
  }

  private async finish({ id, name, createdAt, number, to }: ErasureJob): Promise<Receipt> {
    const { eraser, store, audit, identity, files } = this.services;
    await identity.tickets.revoke(id);
    const erased = await eraser.erase({ id, createdAt });
    const receipt = this.receipt(number, { ...erased, auditEntries: await audit.erase(id) });
    await this.record('accounts erase', receipt);
    for (const email of to) identity.mailer.send(receiptMail('accountErased', email, receipt, name));
    await store.repeat({ id, createdAt }, identity.now() + secondPassMs);
    await files.rewriteSoon();
    return receipt;
  }

  private receipt(number: string, erased: Erased): Receipt {
    return { number, at: isoTime(this.services.identity.now()), erased };
  }

  /** The only trace: it names neither the account nor the person. */
  private record(operation: string, { number, erased }: Receipt): Promise<void> {
    const entry = { actor, operation, outcome: 'done' as const, ids: { receipt: number }, changes: erased };
    return this.services.audit.record(entry);
  }
}

/** Whether the others would have no owner. */
function isStuck(all: Members, userId: string): boolean {
  const { [userId]: role, ...others } = all;
  const left = Object.values(others);
  return role === 'owner' && left.length > 0 && !left.includes('owner');
}

const newNumber = () => `rcpt_${randomBase62(numberLength)}`;

function receiptMail(name: MailName, to: string, { number, at, erased }: Receipt, account = '') {
  const counts = Object.entries(erased).map(([kind, count]) => `${kind}: ${count}`);
  return mailOf(name, to, { account, number, at, counts: counts.join('\n') });
}
