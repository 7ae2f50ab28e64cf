/** How far an account is with its integration. */
import type { KeyService } from '../keys/keys';
import type { LivenessSessions } from '../liveness/session/sessions';
import { monthOf, shift } from '../metering/months';
import type { UsageStore } from '../metering/usage';
import { productGroups } from '../plans/terms';
import type { WebhookService } from '../webhooks/endpoints';

export interface ChecklistServices {
  readonly keys: Pick<KeyService, 'listKeys'>;
  readonly webhooks: Pick<WebhookService, 'list'>;
  readonly sessions: Pick<LivenessSessions, 'list'>;
  readonly usage: Pick<UsageStore, 'readMonth'>;
}

/** Calls and liveness sessions of this month and the last one count. */
export async function checklistOf(
  { keys, webhooks, sessions, usage }: ChecklistServices,
  accountId: string,
  now: number,
) {
  const month = monthOf(now);
  const counters = [month, shift(month, -1)].flatMap((billedMonth) =>
    (['live', 'test'] as const).map((mode) => usage.readMonth(accountId, mode, billedMonth)),
  );
  const [list, endpoints, { items }, months] = await Promise.all([
    keys.listKeys(accountId),
    webhooks.list(accountId),
    sessions.list(accountId, { limit: 1 }),
    Promise.all(counters),
  ]);
  const hasUsed = (group: (typeof productGroups)[number]) => months.some(({ used }) => used[group] > 0);
  return {
    key: list.length > 0,
    call: productGroups.some(hasUsed),
    webhook: endpoints.length > 0,
    liveness: items.length > 0 || hasUsed('livenessDetection'),
  };
}
