import limits from '@presenza/contract/limits.json';
import { type ProductId, productIds } from '../services/contract/products';
import type { KeyMode } from '../services/keys/api-key';
import { keyWithState } from '../services/keys/key-view';
import { isoTime } from '../services/timing/iso-time';
import { account, key, type Operation, operation, time } from './operation';

const { maxNameLength, maxAddresses, rollGraceSeconds, maxRollGraceSeconds } = limits.keys;

interface Wanted {
  readonly account: string;
  readonly mode: KeyMode;
  readonly name?: string;
  readonly products?: ProductId[];
  readonly cidrs?: string[];
  readonly expiresAt?: string;
  readonly auditImages?: boolean;
}

export const keyOperations: readonly Operation[] = [
  operation<Wanted>({
    id: 'keys create',
    summary: 'Makes an API key and shows it, this once',
    http: ['POST', '/accounts/:account/keys'],
    properties: {
      account,
      // Without a default: nobody should make a live key, or a test key, by accident.
      mode: {
        type: 'string',
        enum: ['live', 'test'],
        description: 'Whether its usage is live and billed, or a test',
      },
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
      expiresAt: time('When it ends'),
      auditImages: { type: 'boolean', description: 'true allows it to read audit images of sessions' },
    },
    required: ['account', 'mode'],
    changes: true,
    sets: (_services, { account: _, ...values }) => ({ kind: 'key', values }),
    run: async ({ keys }, wanted, { memberId }) => {
      const { account, mode, name, products, cidrs, expiresAt, auditImages } = wanted;
      const scope = {
        ...(name !== undefined && { name }),
        ...(products && { products }),
        ...(cidrs && { cidrs }),
        ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }),
        ...(auditImages && { auditImages }),
      };
      const made = await keys.createKey(account, mode, scope, memberId);
      return { ...made, mode };
    },
  }),
  operation<{ account: string }>({
    id: 'keys list',
    summary: 'Lists the keys of an account, never the keys themselves',
    http: ['GET', '/accounts/:account/keys'],
    properties: { account },
    required: ['account'],
    changes: false,
    shows: 'key',
    run: async ({ keys }, { account }) => {
      const [records, uses] = await Promise.all([keys.listKeys(account), keys.lastUses(account)]);
      return records.map((record) => {
        const usedAt = uses.get(record.id);
        return {
          ...keyWithState(record, Date.now()),
          ...(usedAt !== undefined && { lastUsedAt: isoTime(usedAt) }),
        };
      });
    },
  }),
  operation<{ account: string; key: string; graceSeconds: number }>({
    id: 'keys roll',
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
    sets: async ({ keys }, { account, key }) => ({ kind: 'key', values: await keys.findKey(account, key) }),
    run: async ({ keys }, { account, key, graceSeconds }, { memberId }) => {
      const { apiKey, keyId, oldKeyExpiresAt } = await keys.rollKey(account, key, graceSeconds, memberId);
      return { apiKey, keyId, oldKeyId: key, oldKeyExpiresAt: isoTime(oldKeyExpiresAt) };
    },
  }),
  operation<{ account: string; key: string }>({
    id: 'keys revoke',
    summary: 'Ends a key at once',
    http: ['DELETE', '/accounts/:account/keys/:key'],
    properties: { account, key },
    required: ['account', 'key'],
    changes: true,
    shows: 'key',
    run: async ({ keys }, { account, key }) => keyWithState(await keys.revokeKey(account, key), Date.now()),
  }),
];
