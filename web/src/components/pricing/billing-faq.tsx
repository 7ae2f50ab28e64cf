/** Questions about money, answered with the numbers of the contract. */
import { fill } from '../../fill';
import { Disclosure } from '../ui/disclosure';
import { billingFacts } from './billing-facts';
import * as styles from './billing-faq.module.css';
import type { Plan } from './plan';

export interface Question {
  question: string;
  answer: string;
}

interface BillingFaqProps {
  units: Question;
  items: Question[];
  plans: Plan[];
  /** With what a product counts as one unit. */
  products: { productId: string; label: string; unit: string }[];
  quotaError: { code: string; status: number };
}

export function BillingFaq({ units, items, plans, products, quotaError }: BillingFaqProps) {
  const facts = billingFacts(plans, quotaError);
  return (
    <div className={styles.faq}>
      <Disclosure summary={units.question}>
        <p>{units.answer}</p>
        <dl className={styles.units}>
          {products.map(({ productId, label, unit }) => (
            <div key={productId}>
              <dt>{label}</dt>
              <dd>{unit}</dd>
            </div>
          ))}
        </dl>
      </Disclosure>
      {items.map(({ question, answer }) => (
        <Disclosure key={question} summary={question}>
          <p>{fill(answer, facts)}</p>
        </Disclosure>
      ))}
    </div>
  );
}
