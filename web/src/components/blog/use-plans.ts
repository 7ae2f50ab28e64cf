import { graphql, useStaticQuery } from 'gatsby';

/** Units of the two product groups, or amounts for one unit of each. */
export interface Units {
  livenessDetection: number;
  imageAnalysis: number;
}

interface PlanFigures {
  tier: string;
  displayName: string;
  quota: { productGroups: Units };
  /** In US dollars. */
  pricing: { basePrice: number; overage: Units | null };
  limits: { burst: { limit: number } };
}

/** The plans of the contract, from the smallest. */
export const usePlans = () =>
  useStaticQuery<{ allContractPlan: { nodes: PlanFigures[] } }>(graphql`
    query PlanFigures {
      allContractPlan(sort: { position: ASC }) {
        nodes {
          tier displayName
          quota { productGroups { livenessDetection imageAnalysis } }
          pricing { basePrice overage { livenessDetection imageAnalysis } }
          limits { burst { limit } }
        }
      }
    }
  `).allContractPlan.nodes;

/** At least cents, and more digits where a rate has them. */
export const dollars = (amount: number) =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
