/** Billing questions. The numbers come from the contract. */
import { fill } from '../../fill';
import { Disclosure } from '../ui/disclosure';
import { billingFacts } from './billing-facts';
import * as styles from './billing-faq.module.css';
import type { Plan, PricingWords, Product, QuotaError } from './plan';

interface BillingFaqProps extends Pick<PricingWords['faq'], 'units' | 'items'> {
  plans: readonly Plan[];
  /** With their billed units. */
  products: readonly Product[];
  quotaError: QuotaError;
}

export function BillingFaq({ units, items, plans, products, quotaError }: BillingFaqProps) {
  const facts = billingFacts(plans, quotaError);
  return (
    <div className={styles.faq}>
      <Disclosure summary={units.question}>
        <p>{units.text}</p>
        <dl className={styles.units}>
          {products.map(({ productId, label, unit }) => (
            <div key={productId}>
              <dt>{label}</dt>
              <dd>{unit}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
      {items.map(({ question, text }) => (
        <Disclosure key={question} summary={question}>
          <p>{fill(text, facts)}</p>
        </Disclosure>
      ))}
    </div>
  );
}
