import brand from '@presenza/contract/brand.json';

/** Name of a key of an account's. The braces are a hash tag: a cluster keeps all of an account in one slot. */
export const accountKey = (accountId: string, name: string): string => `${brand.slug}:{${accountId}}:${name}`;
