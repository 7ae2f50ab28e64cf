/** A plan with price, quotas and features. The recommended plan has crop brackets. */
import Building2 from 'lucide-react/dist/esm/icons/building-2.mjs';
import Gift from 'lucide-react/dist/esm/icons/gift.mjs';
import Globe from 'lucide-react/dist/esm/icons/globe.mjs';
import Rocket from 'lucide-react/dist/esm/icons/rocket.mjs';
import TrendingUp from 'lucide-react/dist/esm/icons/trending-up.mjs';
import { SignUpButton } from '../sign-up/sign-up-button';
import * as brackets from '../ui/brackets.module.css';
import { Headings } from '../ui/headings';
import { formatCount, formatMoney } from './money';
import type { Plan, PricingTexts } from './plan';
import * as styles from './pricing.module.css';

const shapes = { card: styles.card, banner: styles.banner };

interface PlanCardProps {
  plan: Plan;
  texts: PricingTexts['labels'];
  /** A banner spans the page; cards are side by side. */
  shape: keyof typeof shapes;
}

export function PlanCard({ plan, texts, shape }: PlanCardProps) {
  const { tier, displayName, description, display, pricing } = plan;
  const frame = display.recommended ? brackets.brackets : '';
  return (
    <article className={`${styles.plan} ${shapes[shape]} ${frame}`} data-plan={tier} data-source="contract">
      <header className={styles.head}>
        <h2 className={styles.name}>
          <PlanIcon name={display.icon} />
          {displayName}
          {display.recommended && <span className={styles.recommended}>{texts.recommended}</span>}
        </h2>
        <p className={styles.description}>{description}</p>
        <p className={styles.price}>
          <strong>
            {pricing.isCustom ? display.price : formatMoney(pricing.basePrice, pricing.currency)}
          </strong>{' '}
          {display.priceDetail}
        </p>
        <SignUpButton plan={tier} variant={display.buttonStyle as 'primary' | 'secondary'} isChoice>
          {display.buttonText}
        </SignUpButton>
      </header>
      <Volume plan={plan} texts={texts} />
      <ul className={styles.features}>
        {furtherFeatures(plan).map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    </article>
  );
}

/** The icons that `icon` in the contract's plans names. */
const ICONS: Record<string, typeof Globe> = {
  'building-2': Building2,
  gift: Gift,
  globe: Globe,
  rocket: Rocket,
  'trending-up': TrendingUp,
};

/** The icon of a plan; nothing for an unknown name. */
function PlanIcon({ name }: { name: string }) {
  const Icon = ICONS[name];
  return Icon ? <Icon size={22} strokeWidth={1.5} color="var(--accent)" aria-hidden="true" /> : null;
}

function Volume({ plan, texts }: Omit<PlanCardProps, 'shape'>) {
  const { quota, pricing } = plan;
  const rate = (amount: number | undefined) =>
    amount === undefined ? '–' : formatMoney(amount, pricing.currency);
  return (
    <table className={styles.volume}>
      <Headings labels={[texts.group, texts.included, texts.overage]} />
      <tbody>
        <tr>
          <th scope="row">{texts.liveness}</th>
          <td>{formatCount(quota.productGroups.livenessDetection)}</td>
          <td>{rate(pricing.overage?.livenessDetection)}</td>
        </tr>
        <tr>
          <th scope="row">{texts.analyses}</th>
          <td>{formatCount(quota.productGroups.imageAnalysis)}</td>
          <td>{rate(pricing.overage?.imageAnalysis)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** Features other than the quotas, which the table lists. */
const furtherFeatures = ({ display, quota }: Plan) => {
  const quotas = Object.values(quota.productGroups).map(formatCount);
  return display.features.filter((feature) => !quotas.some((count) => feature.startsWith(`${count} `)));
};
