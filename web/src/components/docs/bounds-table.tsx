/** Every bound of the gateway, from the table that its code reads. */
import { graphql, useStaticQuery } from 'gatsby';
import { Table } from '../mdx/table';

/** Headings of the columns. */
interface BoundsTableProps {
  per: string;
  bound: string;
  limit: string;
  outcome: string;
}

export function BoundsTable(words: BoundsTableProps) {
  const { allGatewayBound } = useStaticQuery<QueryData<Queries.BoundsQuery>>(graphql`
    query Bounds {
      allGatewayBound(sort: { position: ASC }) { nodes { per bound limit variable outcome } }
    }
  `);
  return (
    <Table>
      <thead>
        <tr>
          {[words.per, words.bound, words.limit, words.outcome].map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody data-source="bounds">
        {allGatewayBound.nodes.map(({ per, bound, limit, variable, outcome }) => (
          <tr key={bound}>
            <td>{per}</td>
            <th scope="row">
              {bound} {variable && <code>{variable}</code>}
            </th>
            <td>{limit}</td>
            <td>{/^[A-Z_]+$/.test(outcome) ? <code>{outcome}</code> : outcome}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
