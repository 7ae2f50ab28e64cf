import { graphql, useStaticQuery } from 'gatsby';

/** Units of the two product groups. */
export type Units = ReturnType<typeof usePlans>[number]['quota']['productGroups'];

/** The plans of the contract, smallest first. */
export const usePlans = () =>
  useStaticQuery<QueryData<Queries.PlanFiguresQuery>>(graphql`
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

/** At least two decimals, and more if the rate has them. */
export const dollars = (amount: number) =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
