/**
 * API keys and webhook endpoints that outlive the rights of a person who left the account, or whose role may not create
 * them anymore: keys that the person created, and endpoints whose URL the person chose or whose secret the person knows.
 * They keep working until an owner revokes them, or replaces each part that the person knows.
 */

import { ConsoleError } from '../../errors';
import type { AuditLog } from '../audit/audit';
import { audited } from '../audit/audited';
import type { Identity } from '../identity/identity';
import { type MemberView, peopleOf } from '../identity/members';
import { endOf, type KeyRecord } from '../keys/key-records';
import type { KeyService } from '../keys/keys';
import { maySet, type PropertyKind } from '../rights/property-grants';
import { isoTime } from '../timing/iso-time';
import { makersOf, type WebhookEndpoint, type WebhookService } from '../webhooks/endpoints';

export interface FormerAccessServices {
  readonly identity: Pick<Identity, 'members' | 'users' | 'now'>;
  readonly admin: {
    readonly keys: Pick<KeyService, 'listKeys' | 'lastUses' | 'revokeKey'>;
    readonly webhooks: Pick<WebhookService, 'list' | 'remove'>;
    readonly audit: Pick<AuditLog, 'record'>;
  };
}

interface Access {
  readonly userId: string;
  /** Undefined for somebody who left. */
  readonly member: MemberView | undefined;
  readonly keys: readonly KeyRecord[];
  readonly webhooks: readonly WebhookEndpoint[];
}

/** The access that each person still has. */
async function accessOf(
  { identity, admin }: FormerAccessServices,
  accountId: string,
): Promise<readonly Access[]> {
  const [people, allKeys, allWebhooks] = await Promise.all([
    peopleOf(identity, accountId),
    admin.keys.listKeys(accountId),
    admin.webhooks.list(accountId),
  ]);
  const memberOf = (userId: string) => people.find((person) => person.userId === userId);
  const isFormer = (userId: string, kind: PropertyKind, values: object) => {
    const role = memberOf(userId)?.role;
    return role === undefined || !maySet(role, kind, values);
  };
  const now = identity.now();
  const keys = allKeys.filter((key) => endOf(key) > now);
  const makers = new Map(allWebhooks.map((endpoint) => [endpoint, makersOf(endpoint, now)]));
  const ids = new Set([
    ...keys.flatMap(({ createdBy = [] }) => createdBy),
    ...[...makers.values()].flatMap((people) => [...people]),
  ]);
  return [...ids]
    .map((userId) => ({
      userId,
      member: memberOf(userId),
      keys: keys.filter((key) => key.createdBy === userId && isFormer(userId, 'key', key)),
      webhooks: allWebhooks.filter(
        (endpoint) => makers.get(endpoint)?.has(userId) && isFormer(userId, 'webhook', endpoint),
      ),
    }))
    .filter((access) => access.keys.length + access.webhooks.length > 0);
}

/** The access as owners see it, with the email address and role of present members only. */
export async function formerAccess(services: FormerAccessServices, accountId: string) {
  const [people, uses] = await Promise.all([
    accessOf(services, accountId),
    services.admin.keys.lastUses(accountId),
  ]);
  return people.map(({ userId, member, keys, webhooks }) => ({
    userId,
    ...(member && { email: member.email, role: member.role }),
    keys: keys.map(({ id, name, mode, createdAt }) => {
      const usedAt = uses.get(id);
      return {
        keyId: id,
        ...(name !== undefined && { name }),
        mode,
        createdAt: isoTime(createdAt),
        ...(usedAt !== undefined && { lastUsedAt: isoTime(usedAt) }),
      };
    }),
    webhooks: webhooks.map(({ id, url, createdAt }) => ({
      webhookId: id,
      url,
      createdAt: isoTime(createdAt),
    })),
  }));
}

/**
 * Revokes the keys and removes the endpoints of one person, each with a record in the audit log.
 * @param actor see `AuditRecord.actor`
 * @throws ConsoleError NOT_FOUND if there are none
 */
export async function revokeFormerAccess(
  services: FormerAccessServices,
  accountId: string,
  userId: string,
  actor: string,
): Promise<{ readonly keys: number; readonly webhooks: number }> {
  const access = (await accessOf(services, accountId)).find((person) => person.userId === userId);
  if (!access) throw new ConsoleError('NOT_FOUND');
  const { keys, webhooks, audit } = services.admin;
  const record = <T>(operation: string, ids: Readonly<Record<string, string>>, run: () => Promise<T>) =>
    audited(audit, () => ({ actor, operation, accountId, ids }), run);
  for (const { id } of access.keys) {
    await record('keys revoke', { key: id }, () => keys.revokeKey(accountId, id));
  }
  for (const { id } of access.webhooks) {
    await record('webhooks delete', { webhook: id }, () => webhooks.remove(accountId, id));
  }
  return { keys: access.keys.length, webhooks: access.webhooks.length };
}
