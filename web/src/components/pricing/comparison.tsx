import { fill } from '../../fill';
import { DataTable } from '../ui/data-table';
import { Headings } from '../ui/headings';
import * as styles from './comparison.module.css';
import { formatCount, formatMoney } from './money';
import type { Plan, PricingTexts, Units } from './plan';

type Texts = PricingTexts['comparison'];

export function Comparison({ plans, texts }: { plans: readonly Plan[]; texts: Texts }) {
  return (
    <DataTable label={texts.label}>
      <Headings
        className={styles.plans}
        labels={[texts.plan, ...plans.map(({ displayName }) => displayName)]}
      />
      <tbody className={styles.rows} data-source="contract">
        {rowsOf(texts).map(([heading, cellOf]) => (
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

function rowsOf(texts: Texts): [heading: string, cellOf: (plan: Plan) => string][] {
  const yesNo = (allowed: boolean) => (allowed ? texts.yes : texts.no);
  const rate = ({ pricing }: Plan, group: keyof Units) =>
    pricing.overage ? formatMoney(pricing.overage[group], pricing.currency) : '–';
  return [
    [
      texts.price,
      ({ pricing }) => (pricing.isCustom ? texts.custom : formatMoney(pricing.basePrice, pricing.currency)),
    ],
    [texts.liveness, ({ quota }) => formatCount(quota.productGroups.livenessDetection)],
    [texts.analyses, ({ quota }) => formatCount(quota.productGroups.imageAnalysis)],
    [texts.livenessOverage, (plan) => rate(plan, 'livenessDetection')],
    [texts.analysisOverage, (plan) => rate(plan, 'imageAnalysis')],
    [texts.overQuota, ({ pricing }) => (pricing.overage ? texts.billed : texts.refused)],
    [
      texts.burst,
      ({ limits: { burst } }) =>
        fill(texts.burstValue, { limit: formatCount(burst.limit), seconds: burst.windowSeconds }),
    ],
    [texts.concurrency, ({ limits }) => formatCount(limits.concurrency)],
    [texts.webhooks, () => texts.yes],
    [texts.syncWebhooks, ({ allowSyncWebhook }) => yesNo(allowSyncWebhook)],
    [texts.branding, ({ allowBranding }) => yesNo(allowBranding)],
  ];
}
