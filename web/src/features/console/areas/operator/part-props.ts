import type { Account } from '@presenza/contract/console/types.d.ts';

/** A part of the page of an account. */
export interface PartProps {
  account: Account;
}
