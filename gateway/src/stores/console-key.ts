import brand from '@presenza/contract/brand.json';

/** Name of a key of the console. The hash tag keeps people and their addresses in one slot of a cluster. */
export const consoleKey = (name: string): string => `${brand.slug}:{console}:${name}`;

/** Sorted set: accounts that are being erased, or were in the last hour, by the time of the next pass. */
export const erasuresKey = consoleKey('erasures');
