import { fill } from '../../fill';
import { DataTable } from '../ui/data-table';
import { Headings } from '../ui/headings';
import * as styles from './comparison.module.css';
import { formatCount, formatMoney } from './money';
import type { Plan, PricingWords, Units } from './plan';

type Words = PricingWords['comparison'];

export function Comparison({ plans, words }: { plans: readonly Plan[]; words: Words }) {
  return (
    <DataTable label={words.label}>
      <Headings
        className={styles.plans}
        words={[words.plan, ...plans.map(({ displayName }) => displayName)]}
      />
      <tbody className={styles.rows} data-source="contract">
        {rowsOf(words).map(([heading, cellOf]) => (
          <tr key={heading}>
            <th scope="row">{heading}</th>
            {plans.map((plan) => (
              <td key={plan.tier}>{cellOf(plan)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function rowsOf(words: Words): [heading: string, cellOf: (plan: Plan) => string][] {
  const yesNo = (allowed: boolean) => (allowed ? words.yes : words.no);
  const rate = ({ pricing }: Plan, group: keyof Units) =>
    pricing.overage ? formatMoney(pricing.overage[group], pricing.currency) : '–';
  return [
    [
      words.price,
      ({ pricing }) => (pricing.isCustom ? words.custom : formatMoney(pricing.basePrice, pricing.currency)),
    ],
    [words.liveness, ({ quota }) => formatCount(quota.productGroups.livenessDetection)],
    [words.analyses, ({ quota }) => formatCount(quota.productGroups.imageAnalysis)],
    [words.livenessOverage, (plan) => rate(plan, 'livenessDetection')],
    [words.analysisOverage, (plan) => rate(plan, 'imageAnalysis')],
    [words.overQuota, ({ pricing }) => (pricing.overage ? words.billed : words.refused)],
    [
      words.burst,
      ({ limits: { burst } }) =>
        fill(words.burstValue, { limit: formatCount(burst.limit), seconds: burst.windowSeconds }),
    ],
    [words.concurrency, ({ limits }) => formatCount(limits.concurrency)],
    [words.webhooks, () => words.yes],
    [words.syncWebhooks, ({ allowSyncWebhook }) => yesNo(allowSyncWebhook)],
    [words.branding, ({ allowBranding }) => yesNo(allowBranding)],
  ];
}
