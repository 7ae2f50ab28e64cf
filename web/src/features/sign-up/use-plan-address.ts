import { graphql, useStaticQuery } from 'gatsby';
import { useSite } from '../../components/use-site';
import { mailUrl } from './mail-url';
import { signUpUrl } from './sign-up-url.mjs';

/** @param plan tier of a plan in the contract */
export function usePlanAddress(plan: string): { address: string; isMail: boolean } {
  const { allContractPlan, contentSite } = useStaticQuery<QueryData<Queries.PlanAddressQuery>>(graphql`
    query PlanAddress {
      allContractPlan { nodes { tier pricing { isCustom } } }
      contentSite { planInquiry { subject body } }
    }
  `);
  const { console, contact } = useSite();
  const isMail = allContractPlan.nodes.some(({ tier, pricing }) => tier === plan && pricing.isCustom);
  const { subject, body } = contentSite.planInquiry;
  const address = isMail ? mailUrl({ to: contact.sales, subject, body }) : signUpUrl(console, plan);
  return { address, isMail };
}
