/** API keys of the key's account and mode. */
import type { KeyCreateRequest } from '@presenza/contract/client/types.d.ts';
import type { Router } from 'express';
import { ApiError } from '../../errors';
import { keyWithState } from '../../services/keys/key-view';
import type { Principal } from '../../services/keys/keys';
import { pageOf } from '../../services/pages';
import { maxBytesOf } from '../guards';
import { idempotencyKeyOf, markRepeat } from '../idempotency';
import { listOperation } from '../list-operation';
import { changeByKey, type ManagementServices } from '../management';
import { mount, type Operation } from '../route';

export function keysRoute(api: Router, services: ManagementServices): void {
  mount(api, '/keys', [listKeys(services), createKey(services)], services);
  mount(api, '/keys/:keyId', [revokeKey(services)], services);
}

/** GET /keys: lists the keys, without the keys themselves. */
const listKeys = ({ management, now }: ManagementServices) =>
  listOperation('/keys', { operation: 'listApiKeys', manages: true }, async (principal, page) => {
    const { items, ...rest } = pageOf(await ownKeys(management, principal), page);
    return { items: items.map((record) => keyWithState(record, now())), ...rest };
  });

/** POST /keys: creates a key within the scope of the caller's, and shows it, this once. */
const createKey = ({ management, now }: ManagementServices): Operation => ({
  method: 'post',
  policy: {
    operation: 'createApiKey',
    caller: 'key',
    manages: true,
    counted: true,
    body: { maxBytes: maxBytesOf('/keys'), forms: 'json', optional: true, schema: 'key-create-request.json' },
  },
  handle: async (req, res) => {
    const principal = res.locals.principal as Principal;
    const changes = req.body as KeyCreateRequest;
    const { expiresAt, ...others } = changes;
    const scope = { ...others, ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }) };
    const requestKey = idempotencyKeyOf(req, principal);
    const { apiKey, record, isRepeat } = await changeByKey(
      management,
      principal,
      { operation: 'keys create', changes: { ...changes } },
      () => management.keys.createKeyFor(principal, scope, requestKey),
      ({ keyId }) => ({ keyId }),
    );
    if (isRepeat) markRepeat(res);
    const data = { apiKey, ...keyWithState(record, now()) };
    res.json({ success: true, data, requestId: res.locals.requestId });
  },
});

/** DELETE /keys/{keyId}: revokes a key at once. */
const revokeKey = ({ management }: ManagementServices): Operation => ({
  method: 'delete',
  policy: { operation: 'revokeApiKey', caller: 'key', manages: true, counted: true },
  handle: async (req, res) => {
    const principal = res.locals.principal as Principal;
    const { keyId } = req.params;
    const known = (await ownKeys(management, principal)).find(({ id }) => id === keyId);
    if (!known) throw new ApiError('NOT_FOUND', { reason: 'key' });
    const change = { operation: 'keys revoke', ids: { key: known.id } };
    const revoke = () => management.keys.revokeKey(principal.accountId, known.id);
    await changeByKey(management, principal, change, revoke);
    res.json({ success: true, data: { keyId: known.id, revoked: true }, requestId: res.locals.requestId });
  },
});

const ownKeys = async ({ keys }: ManagementServices['management'], { accountId, mode: wanted }: Principal) =>
  (await keys.listKeys(accountId)).filter(({ mode }) => mode === wanted);
