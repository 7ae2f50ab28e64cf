import { useBlogWords } from './use-blog-words';
import { count, dollars, usePlans } from './use-plans';

/** What each plan includes, what goes beyond costs, and how fast it may be used. */
export function PlanTable() {
  const { tables } = useBlogWords();
  return (
    <table>
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
      <tbody>
        {usePlans().map(({ tier, displayName, quota: { productGroups }, pricing: { overage }, limits }) => (
          <tr key={tier}>
            <th scope="row">{displayName}</th>
            <td>{count(productGroups.livenessDetection)}</td>
            <td>{overage ? dollars(overage.livenessDetection) : tables.none}</td>
            <td>{count(productGroups.imageAnalysis)}</td>
            <td>{overage ? dollars(overage.imageAnalysis) : tables.none}</td>
            <td>{count(limits.burst.limit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
