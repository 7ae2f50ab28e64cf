import { graphql, useStaticQuery } from 'gatsby';

/** The plans of the contract, from the smallest to the largest. */
export const usePlans = () =>
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
  `).allContractPlan.nodes;

export type Plan = ReturnType<typeof usePlans>[number];
