import type { Plan as PlanTier } from '@presenza/contract/console/types.d.ts';
import { graphql, useStaticQuery } from 'gatsby';

/** The plans of the contract, from the smallest to the largest. */
export const usePlans = (): readonly Plan[] =>
  useStaticQuery<QueryData<Queries.ConsolePlansQuery>>(graphql`
    query ConsolePlans {
      allContractPlan(sort: { position: ASC }) {
        nodes {
          tier displayName allowSyncWebhook
          quota { productGroups { livenessDetection imageAnalysis } }
          pricing { currency basePrice isCustom overage { livenessDetection imageAnalysis } }
          limits { burst { limit windowSeconds } concurrency }
        }
      }
    }
  `).allContractPlan.nodes as readonly Plan[];

/** The name of a plan by its tier. */
export function usePlanName(): (tier: string) => string {
  const plans = usePlans();
  return (tier) => plans.find((plan) => plan.tier === tier)?.displayName ?? tier;
}

type PlanNode = QueryData<Queries.ConsolePlansQuery>['allContractPlan']['nodes'][number];
export type Plan = PlanNode & { readonly tier: PlanTier };
