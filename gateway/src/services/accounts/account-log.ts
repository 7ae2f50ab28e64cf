/** The audit log of one account, for its owners. */
import type { AuditEntry, AuditLog } from '../audit/audit';
import type { MemberService } from '../identity/members';
import { namedPage, type PageOf } from '../pages';

export interface AccountLogServices {
  readonly audit: Pick<AuditLog, 'list'>;
  readonly members: Pick<MemberService, 'list'>;
}

/** The log has ids of people only. Their email addresses are looked up now, and only those of the present members. */
export async function accountLog({ audit, members }: AccountLogServices, accountId: string, page: PageOf) {
  const [{ items, next }, people] = await Promise.all([
    audit.list({ ...page, accountId }),
    members.list(accountId),
  ]);
  const emails = new Map(people.map(({ userId, email }) => [userId, email]));
  // The entry of the outcome follows, unless a gateway died.
  const ended = items.filter(({ outcome }) => outcome !== 'begun');
  const view = ({ time, actor, accountId: _, ...entry }: AuditEntry) => ({
    at: time,
    actor: nameOf(actor, emails),
    ...entry,
  });
  return namedPage('entries', { items: ended, ...(next !== undefined && { next }) }, view);
}

function nameOf(actor: AuditEntry['actor'], emails: ReadonlyMap<string, string>): string {
  const [kind = '', id = ''] = actor.split(':');
  if (kind === 'user') return emails.get(id) ?? 'former member';
  return kind === 'key' || kind === 'gateway' ? actor : 'operator';
}
