/** Shared parts of the operations that manage API keys and webhook endpoints with an API key. */
import type { AuditLog, AuditRecord } from '../services/audit/audit';
import { audited } from '../services/audit/audited';
import type { KeyService, Principal } from '../services/keys/keys';
import type { DeliveryService } from '../services/webhooks/delivery-service';
import type { WebhookService } from '../services/webhooks/endpoints';
import type { GuardServices } from './guards';

/** The services behind the operators' commands. */
export interface ManagementServices extends GuardServices {
  readonly management: {
    readonly keys: Pick<KeyService, 'createKeyFor' | 'listKeys' | 'revokeKey'>;
    readonly webhooks: Pick<WebhookService, 'create' | 'list' | 'remove'>;
    readonly deliveries: Pick<DeliveryService, 'list'>;
    readonly audit: Pick<AuditLog, 'record'>;
  };
  readonly now: () => number;
}

type Change = Pick<AuditRecord, 'operation' | 'ids' | 'changes'>;

/**
 * Runs a change that an API key makes, with a record in the audit log as for those of operators.
 * @param idsOf the ids in the result.
 */
export function changeByKey<T>(
  { audit }: ManagementServices['management'],
  { accountId, keyId }: Principal,
  { ids, ...change }: Change,
  run: () => Promise<T>,
  idsOf: (result: T) => AuditRecord['ids'] = () => undefined,
): Promise<T> {
  const entryOf = (result?: T) => {
    const all = { ...ids, ...(result !== undefined && idsOf(result)) };
    return { actor: `key:${keyId}`, accountId, ...change, ...(Object.keys(all).length > 0 && { ids: all }) };
  };
  return audited(audit, entryOf, run);
}
