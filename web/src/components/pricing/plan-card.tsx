/** A plan with price, quotas and features. The recommended plan has crop brackets. */
import { SignUpButton } from '../../features/sign-up/sign-up-button';
import * as brackets from '../ui/brackets.module.css';
import { formatMoney } from './money';
import type { Plan, PricingWords } from './plan';
import * as styles from './plan-card.module.css';
import { PlanIcon } from './plan-icon';
import { furtherFeatures, Volume } from './volume';

const shapes = { card: styles.card, banner: styles.banner };

interface PlanCardProps {
  plan: Plan;
  words: PricingWords['labels'];
  /** A banner spans the page; cards are side by side. */
  shape: keyof typeof shapes;
}

export function PlanCard({ plan, words, shape }: PlanCardProps) {
  const { tier, displayName, description, display, pricing } = plan;
  const frame = display.recommended ? brackets.brackets : '';
  return (
    <article className={`${styles.plan} ${shapes[shape]} ${frame}`} data-plan={tier} data-source="contract">
      <header className={styles.head}>
        <h2 className={styles.name}>
          <PlanIcon name={display.icon} />
          {displayName}
          {display.recommended && <span className={styles.recommended}>{words.recommended}</span>}
        </h2>
        <p className={styles.description}>{description}</p>
        <p className={styles.price}>
          <strong>
            {pricing.isCustom ? display.price : formatMoney(pricing.basePrice, pricing.currency)}
          </strong>{' '}
          {display.priceDetail}
        </p>
        <SignUpButton plan={tier} look={display.buttonStyle as 'primary' | 'secondary'}>
          {display.buttonText}
        </SignUpButton>
      </header>
      <Volume plan={plan} words={words} />
      <ul className={styles.features}>
        {furtherFeatures(plan).map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
    </article>
  );
}
