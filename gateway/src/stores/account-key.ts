import brand from '@presenza/contract/brand.json';

/** Name of a key of an account. The braces are a hash tag, which keeps all keys of an account in one slot of a cluster. */
export const accountKey = (accountId: string, name: string): string => `${brand.slug}:{${accountId}}:${name}`;

/** Name of the record of an account. */
export const recordKey = (accountId: string): string => accountKey(accountId, 'account');

/** Sorted set: every account by time of creation. All scores are 0, so the members define the order. */
export const accountsKey = `${brand.slug}:accounts`;
