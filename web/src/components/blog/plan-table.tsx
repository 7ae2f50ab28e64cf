import { Table } from '../mdx/table';
import { formatCount } from '../pricing/money';
import { useBlogWords } from './use-blog-words';
import { dollars, usePlans } from './use-plans';

/** The quotas, overage rates and rate limits of the plans. */
export function PlanTable() {
  const { tables } = useBlogWords();
  return (
    <Table>
      <thead>
        <tr>
          <th scope="col">{tables.plan}</th>
          <th scope="col">{tables.livenessDetection}</th>
          <th scope="col">{tables.perExtra}</th>
          <th scope="col">{tables.imageAnalysis}</th>
          <th scope="col">{tables.perExtra}</th>
          <th scope="col">{tables.perMinute}</th>
        </tr>
      </thead>
      <tbody data-source="contract">
        {usePlans().map(({ tier, displayName, quota: { productGroups }, pricing: { overage }, limits }) => (
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
