import { formatCount, formatMoney } from './money';
import type { Plan, PricingWords } from './plan';
import * as styles from './volume.module.css';

/** The quotas of a plan and its overage rates. */
export function Volume({ plan, words }: { plan: Plan; words: PricingWords['labels'] }) {
  const { quota, pricing } = plan;
  const rate = (amount: number | undefined) =>
    amount === undefined ? '–' : formatMoney(amount, pricing.currency);
  return (
    <table className={styles.volume}>
      <thead>
        <tr>
          {[words.group, words.included, words.overage].map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{words.liveness}</th>
          <td>{formatCount(quota.productGroups.livenessDetection)}</td>
          <td>{rate(pricing.overage?.livenessDetection)}</td>
        </tr>
        <tr>
          <th scope="row">{words.analyses}</th>
          <td>{formatCount(quota.productGroups.imageAnalysis)}</td>
          <td>{rate(pricing.overage?.imageAnalysis)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** Features other than the quotas, which the table lists. */
export const furtherFeatures = ({ display, quota }: Plan) => {
  const quotas = Object.values(quota.productGroups).map(formatCount);
  return display.features.filter((feature) => !quotas.some((count) => feature.startsWith(`${count} `)));
};
