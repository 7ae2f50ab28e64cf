import type { Account } from '../keys/accounts';
import type { KeyService } from '../keys/keys';

const accountsPerPage = 200;
/** Accounts that a round works on at once. */
export const accountsAtOnce = 8;

/** All accounts of the service. */
export async function* everyAccount(accounts: Pick<KeyService, 'listAccounts'>): AsyncGenerator<Account> {
  for (let after: string | undefined; ; ) {
    const page = { limit: accountsPerPage, ...(after !== undefined && { after }) };
    const { items, next } = await accounts.listAccounts(page);
    yield* items;
    if (next === undefined) return;
    after = next;
  }
}
