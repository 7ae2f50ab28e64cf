import { Table } from '../mdx/table';
import { formatCount } from '../pricing/money';
import { useBlogWords } from './use-blog-words';
import { dollars, type Units, usePlans } from './use-plans';

const GROUPS = ['livenessDetection', 'imageAnalysis'] as const;

/** The cost of a month on a plan with overage: the excess of each group times its rate. */
export function OverageTable({ tier, ...used }: { tier: string } & Units) {
  const { tables } = useBlogWords();
  const plan = usePlans().find((known) => known.tier === tier);
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
      <thead>
        <tr>
          <th scope="col">{tables.group.replace('{plan}', displayName)}</th>
          <th scope="col">{tables.used}</th>
          <th scope="col">{tables.included}</th>
          <th scope="col">{tables.overage}</th>
          <th scope="col">{tables.rate}</th>
          <th scope="col">{tables.cost}</th>
        </tr>
      </thead>
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
