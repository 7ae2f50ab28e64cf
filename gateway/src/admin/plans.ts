import plans from '@presenza/contract/plans.json';
import { type Operation, operation } from './operation';

export const planOperations: readonly Operation[] = [
  operation({
    id: 'plans list',
    summary: 'Lists the plans and what each includes',
    http: ['GET', '/plans'],
    properties: {},
    changes: false,
    run: async () =>
      plans.map(({ tier, displayName, quota, pricing, limits, allowSyncWebhook }) => ({
        plan: tier,
        name: displayName,
        quota: quota.productGroups,
        overage: pricing.overage,
        burst: limits.burst,
        concurrency: limits.concurrency,
        sessionBytes: limits.sessionBytes,
        allowSyncWebhook,
      })),
  }),
];
