/** Tables of articles with the figures of the contract. */
import { graphql, useStaticQuery } from 'gatsby';
import { Table } from '../mdx/table';
import { formatCount } from '../pricing/money';
import { Headings } from '../ui/headings';

type Units = ReturnType<typeof usePlans>['plans'][number]['quota']['productGroups'];

/** The plans of the contract, smallest first, and the texts of their tables. */
function usePlans() {
  const { allContractPlan, contentBlog } = useStaticQuery<QueryData<Queries.PlanFiguresQuery>>(graphql`
    query PlanFigures {
      allContractPlan(sort: { position: ASC }) {
        nodes {
          tier displayName
          quota { productGroups { livenessDetection imageAnalysis } }
          pricing { basePrice overage { livenessDetection imageAnalysis } }
          limits { burst { limit } }
        }
      }
      contentBlog {
        tables {
          plan livenessDetection imageAnalysis perExtra perMinute none group used included
          overage rate cost base total
        }
      }
    }
  `);
  return { plans: allContractPlan.nodes, ...contentBlog };
}

/** At least two decimals, and more if the rate has them. */
const dollars = (amount: number) =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;

export function PlanTable() {
  const { plans, tables } = usePlans();
  return (
    <Table>
      <Headings
        labels={[
          tables.plan,
          tables.livenessDetection,
          tables.perExtra,
          tables.imageAnalysis,
          tables.perExtra,
          tables.perMinute,
        ]}
      />
      <tbody data-source="contract">
        {plans.map(({ tier, displayName, quota: { productGroups }, pricing: { overage }, limits }) => (
          <tr key={tier}>
            <th scope="row">{displayName}</th>
            <td>{formatCount(productGroups.livenessDetection)}</td>
            <td>{overage ? dollars(overage.livenessDetection) : tables.none}</td>
            <td>{formatCount(productGroups.imageAnalysis)}</td>
            <td>{overage ? dollars(overage.imageAnalysis) : tables.none}</td>
            <td>{formatCount(limits.burst.limit)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

const GROUPS = ['livenessDetection', 'imageAnalysis'] as const;

/** The cost of a month on a plan with overage: the excess of each group times its rate. */
export function OverageTable({ tier, ...used }: { tier: string } & Units) {
  const { plans, tables } = usePlans();
  const plan = plans.find((known) => known.tier === tier);
  if (!plan?.pricing.overage)
    throw new Error(`Content requests the overage of a plan without overage: ${tier}.`);
  const { displayName, quota, pricing } = plan;
  const lines = GROUPS.map((group) => {
    const included = quota.productGroups[group];
    const excess = Math.max(0, used[group] - included);
    const rate = plan.pricing.overage?.[group] ?? 0;
    return { group, included, excess, rate, cost: excess * rate };
  });
  const total = lines.reduce((sum, { cost }) => sum + cost, pricing.basePrice);
  return (
    <Table>
      <Headings
        labels={[
          tables.group.replace('{plan}', displayName),
          tables.used,
          tables.included,
          tables.overage,
          tables.rate,
          tables.cost,
        ]}
      />
      <tbody data-source="contract">
        {lines.map(({ group, included, excess, rate, cost }) => (
          <tr key={group}>
            <th scope="row">{tables[group]}</th>
            <td>{formatCount(used[group])}</td>
            <td>{formatCount(included)}</td>
            <td>{formatCount(excess)}</td>
            <td>{dollars(rate)}</td>
            <td>{dollars(cost)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row" colSpan={5}>
            {tables.base}
          </th>
          <td>{dollars(pricing.basePrice)}</td>
        </tr>
        <tr>
          <th scope="row" colSpan={5}>
            {tables.total}
          </th>
          <td>{dollars(total)}</td>
        </tr>
      </tbody>
    </Table>
  );
}
