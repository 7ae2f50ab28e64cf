/** The pricing page: plans, cost calculator and comparison. */
import { graphql, Link, type PageProps } from 'gatsby';
import { Closing } from '../components/marketing/closing';
import { headOf } from '../components/page-head/page-head';
import { BillingFaq } from '../components/pricing/billing-faq';
import { Calculator } from '../components/pricing/calculator';
import { Comparison } from '../components/pricing/comparison';
import type { Plan } from '../components/pricing/plan';
import { PlanCard } from '../components/pricing/plan-card';
import * as styles from '../components/pricing/pricing.module.css';
import { PageIntro } from '../components/ui/page-intro';
import { Section } from '../components/ui/section';

type Data = QueryData<Queries.PricingPageQuery>;

export default function PricingPage({ data }: PageProps<Data>) {
  const { heading, note, lead, labels, trust, calculator, comparison, faq, closing } = data.contentPricing;
  const plans = data.allContractPlan.nodes;
  const isBanner = ({ isFree, pricing }: Plan) => isFree || pricing.isCustom;
  const free = plans.filter(({ isFree }) => isFree);
  return (
    <>
      <PageIntro heading={heading} lead={lead}>
        <p className={styles.note}>{note}</p>
      </PageIntro>
      {/* The Free plan is first on small screens, and below the cards on wide ones. Each screen hides the other copy,
          so that the keyboard follows what is visible. */}
      {free.map((plan) => (
        <div key={plan.tier} className={styles.first}>
          <PlanCard plan={plan} texts={labels} shape="banner" />
        </div>
      ))}
      <div className={styles.cards}>
        {plans
          .filter((plan) => !isBanner(plan))
          .map((plan) => (
            <PlanCard key={plan.tier} plan={plan} texts={labels} shape="card" />
          ))}
      </div>
      {plans.filter(isBanner).map((plan) => (
        <div key={plan.tier} className={plan.isFree ? styles.last : undefined}>
          <PlanCard plan={plan} texts={labels} shape="banner" />
        </div>
      ))}
      <section className={styles.trust} aria-label={trust.label}>
        <ul className={styles.badges}>
          {trust.badges.map(({ label, to }) => (
            <li key={label}>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
        <p className={styles.behind}>
          <Link to={trust.behind.to}>{trust.behind.label}</Link>
        </p>
      </section>
      <Section id="calculator" heading={calculator.heading} lead={calculator.lead}>
        <Calculator plans={plans} texts={calculator} />
      </Section>
      <Section id="comparison" heading={comparison.heading} lead={comparison.lead}>
        <Comparison plans={plans} texts={comparison} />
      </Section>
      <Section id="faq" heading={faq.heading}>
        <BillingFaq
          {...faq}
          plans={plans}
          products={data.allContractProduct.nodes}
          quotaError={data.contractError}
        />
      </Section>
      <Closing {...closing} />
    </>
  );
}

export const Head = headOf((data: Data) => data.contentPricing);

export const query = graphql`
  query PricingPage($id: String!) {
    contentPricing(id: { eq: $id }) {
      ...PageMeta heading note lead
      labels { recommended group included overage liveness analyses }
      trust { label badges { label to } behind { label to } }
      calculator {
        heading lead liveness analyses exampleLiveness exampleAnalyses caption plan base overage
        total cheapest tooSmall byAgreement
      }
      comparison {
        heading lead label plan price custom liveness analyses livenessOverage analysisOverage
        overQuota refused billed burst burstValue concurrency webhooks syncWebhooks branding yes no
      }
      faq { heading units { question text } items { question text } }
      closing { ...Closing }
    }
    allContractPlan(sort: { position: ASC }) {
      nodes {
        tier displayName description
        quota { productGroups { livenessDetection imageAnalysis } }
        pricing { currency basePrice isCustom overage { livenessDetection imageAnalysis } }
        isFree allowBranding allowSyncWebhook
        limits { burst { limit windowSeconds } concurrency }
        display { price priceDetail icon recommended buttonText buttonStyle features }
      }
    }
    allContractProduct(sort: { position: ASC }) { nodes { productId label: name unit } }
    contractError(code: { eq: "QUOTA_EXCEEDED" }) { code status }
  }
`;
