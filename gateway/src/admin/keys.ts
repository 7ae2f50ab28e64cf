import limits from '@presenza/contract/limits.json';
import { Refusal } from '../errors/refusal';
import { type ProductId, productIds } from '../services/contract/products';
import type { KeyMode } from '../services/keys/api-key';
import { endOf, type KeyRecord } from '../services/keys/key-records';
import { account, isoTime, key, type Operation, operation } from './operation';

const { maxNameLength, maxAddresses, rollGraceSeconds, maxRollGraceSeconds } = limits.keys;

interface Wanted {
  readonly account: string;
  readonly mode: KeyMode;
  readonly name?: string;
  readonly products?: ProductId[];
  readonly cidrs?: string[];
  readonly expiresAt?: string;
}

function view({ id, mode, name, products, cidrs, createdAt, rolledTo, ...times }: KeyRecord) {
  const { expiresAt, revokedAt } = times;
  return {
    keyId: id,
    mode,
    ...(name !== undefined && { name }),
    ...(products && { products }),
    ...(cidrs && { cidrs }),
    createdAt: isoTime(createdAt),
    ...(expiresAt !== undefined && { expiresAt: isoTime(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: isoTime(revokedAt) }),
    ...(rolledTo !== undefined && { rolledTo }),
  };
}

function stateOf(record: KeyRecord): string {
  if (record.revokedAt !== undefined) return 'revoked';
  return endOf(record) <= Date.now() ? 'expired' : 'active';
}

function inFuture(time: string): number {
  const ms = Date.parse(time);
  if (ms <= Date.now()) throw new Refusal('A key must expire in the future');
  return ms;
}

export const keyOperations: readonly Operation[] = [
  operation<Wanted>({
    words: 'keys create',
    summary: 'Makes an API key and shows it, this once',
    http: ['POST', '/accounts/:account/keys'],
    properties: {
      account,
      mode: { type: 'string', enum: ['live', 'test'], default: 'live', description: 'Mode' },
      name: { type: 'string', maxLength: maxNameLength, description: 'Display name' },
      products: {
        type: 'array',
        items: { enum: productIds },
        minItems: 1,
        maxItems: productIds.length,
        uniqueItems: true,
        description: `Products that it allows, in place of all: ${productIds.join(', ')}`,
      },
      cidrs: {
        type: 'array',
        items: { type: 'string', maxLength: 64 },
        minItems: 1,
        maxItems: maxAddresses,
        description: 'Addresses and ranges that it may be used from, such as 192.0.2.0/24',
      },
      expiresAt: { type: 'string', format: 'date-time', maxLength: 40, description: 'When it ends' },
    },
    required: ['account'],
    changes: true,
    run: async ({ keys }, { account, mode, name, products, cidrs, expiresAt }) => {
      const made = await keys.createKey(account, mode, {
        ...(name !== undefined && { name }),
        ...(products && { products }),
        ...(cidrs && { cidrs }),
        ...(expiresAt !== undefined && { expiresAt: inFuture(expiresAt) }),
      });
      return { ...made, mode };
    },
  }),
  operation<{ account: string }>({
    words: 'keys list',
    summary: 'Lists the keys of an account, never the keys themselves',
    http: ['GET', '/accounts/:account/keys'],
    properties: { account },
    required: ['account'],
    changes: false,
    run: async ({ keys }, { account }) =>
      (await keys.listKeys(account)).map((record) => ({ ...view(record), state: stateOf(record) })),
  }),
  operation<{ account: string; key: string; graceSeconds: number }>({
    words: 'keys roll',
    summary: 'Makes a key in place of another, which works for a while more',
    http: ['POST', '/accounts/:account/keys/:key/roll'],
    properties: {
      account,
      key,
      graceSeconds: {
        type: 'integer',
        minimum: 0,
        maximum: maxRollGraceSeconds,
        default: rollGraceSeconds,
        description: 'How long the old key still works',
      },
    },
    required: ['account', 'key'],
    changes: true,
    run: async ({ keys }, { account, key, graceSeconds }) => {
      const { apiKey, keyId, oldKeyExpiresAt } = await keys.rollKey(account, key, graceSeconds);
      return { apiKey, keyId, oldKeyId: key, oldKeyExpiresAt: isoTime(oldKeyExpiresAt) };
    },
  }),
  operation<{ account: string; key: string }>({
    words: 'keys revoke',
    summary: 'Ends a key at once',
    http: ['DELETE', '/accounts/:account/keys/:key'],
    properties: { account, key },
    required: ['account', 'key'],
    changes: true,
    run: async ({ keys }, { account, key }) => view(await keys.revokeKey(account, key)),
  }),
];
