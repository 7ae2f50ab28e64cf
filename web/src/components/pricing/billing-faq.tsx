/** Billing questions. The numbers come from the contract. */
import { fill } from '../../fill';
import { Disclosure } from '../ui/disclosure';
import * as styles from './billing-faq.module.css';
import { monthlyCost } from './cost';
import { formatCount, formatMoney } from './money';
import type { Plan, PricingTexts, Product, QuotaError } from './plan';

interface BillingFaqProps extends Pick<PricingTexts['faq'], 'units' | 'items'> {
  plans: readonly Plan[];
  /** The products with their billed units. */
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

/** Overage units of the worked example. */
const OVERAGE = 50;

/**
 * Numbers and names for the billing FAQ, from the contract.
 * @throws Error if the contract lacks a free, a recommended or a custom plan
 */
function billingFacts(plans: readonly Plan[], quotaError: QuotaError) {
  const find = (what: string, is: (plan: Plan) => boolean) => {
    const plan = plans.find(is);
    if (!plan) throw new Error(`The contract has no plan that is ${what}.`);
    return plan;
  };
  const free = find('free', ({ isFree }) => isFree);
  const example = find('recommended', ({ display }) => display.recommended);
  const custom = find('made to measure', ({ pricing }) => pricing.isCustom);
  const { livenessDetection } = example.quota.productGroups;
  const cost = monthlyCost(example, { livenessDetection: livenessDetection + OVERAGE, imageAnalysis: 0 });
  if (cost.kind !== 'priced') throw new Error('The recommended plan has no overage price.');
  const money = (amount: number) => formatMoney(amount, example.pricing.currency);
  return {
    freePlan: free.displayName,
    freeLiveness: formatCount(free.quota.productGroups.livenessDetection),
    freeAnalyses: formatCount(free.quota.productGroups.imageAnalysis),
    quotaCode: quotaError.code,
    quotaStatus: quotaError.status,
    examplePlan: example.displayName,
    exampleLiveness: formatCount(livenessDetection + OVERAGE),
    exampleQuota: formatCount(livenessDetection),
    exampleExtra: OVERAGE,
    exampleRate: money(example.pricing.overage?.livenessDetection ?? 0),
    exampleOverage: money(cost.overage),
    exampleBase: money(cost.base),
    exampleTotal: money(cost.total),
    enterprisePlan: custom.displayName,
    enterpriseLiveness: formatCount(custom.quota.productGroups.livenessDetection),
  };
}
