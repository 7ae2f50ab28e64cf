import limits from '@presenza/contract/limits.json';
import type { EventDispatcher } from './dispatcher';
import { SyncWebhookService } from './sync-webhooks';

const event = {
  accountId: 'acc_1',
  eventId: 'evt_1',
  sessionId: 'ses_1',
  timestamp: 0,
  eventType: 'session.started',
} as const;

test('all endpoints share one deadline, which includes the time that reading them takes', async () => {
  let now = 1_000;
  const timeouts: number[] = [];
  const endpoint = { mode: 'live', type: 'sync', events: ['session.started'], createdAt: 0 };
  const dispatch: EventDispatcher['dispatch'] = async (_event, _endpoint, { timeoutMs }) => {
    timeouts.push(timeoutMs);
    return { failure: 'timeout', tookMs: timeoutMs };
  };
  const reasons: string[] = [];
  const service = new SyncWebhookService({
    endpoints: {
      listEndpoints: async () => {
        now += 400;
        return [
          { ...endpoint, id: 'wh_1' },
          { ...endpoint, id: 'wh_2', onFailure: 'reject' },
        ] as never;
      },
    },
    accounts: { findAccount: async () => ({ plan: 'growth' }) as never },
    dispatcher: { dispatch } as never,
    log: {} as never,
    now: () => now,
    onFallback: (_event, _id, why) => reasons.push(why),
  });
  expect(await service.decide(event as never)).toEqual({ decision: 'reject' });
  const leftMs = 1_000 * limits.webhooks.syncDeadlineSeconds - 400;
  expect(timeouts).toEqual([leftMs, leftMs]);
  expect(reasons).toEqual(['timeout', 'timeout']);
});
