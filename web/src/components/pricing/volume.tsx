import { formatCount, formatMoney } from './money';
import type { Plan } from './plan';
import * as styles from './volume.module.css';

export interface VolumeWords {
  group: string;
  included: string;
  beyond: string;
  liveness: string;
  analyses: string;
}

/** What a plan includes, and what each unit beyond costs. */
export function Volume({ plan, words }: { plan: Plan; words: VolumeWords }) {
  const { quota, pricing } = plan;
  const rate = (amount: number | undefined) =>
    amount === undefined ? '–' : formatMoney(amount, pricing.currency);
  return (
    <table className={styles.volume}>
      <thead>
        <tr>
          {[words.group, words.included, words.beyond].map((heading) => (
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

/** Features that say more than the quotas, which the table above has. */
export const furtherFeatures = ({ display, quota }: Plan) => {
  const quotas = Object.values(quota.productGroups).map(formatCount);
  return display.features.filter((feature) => !quotas.some((count) => feature.startsWith(`${count} `)));
};
