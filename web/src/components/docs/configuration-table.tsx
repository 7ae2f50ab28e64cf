/** The environment variables of one tier, as its code defines them. */
import { graphql, useStaticQuery } from 'gatsby';
import { Table } from '../mdx/table';

interface ConfigurationTableProps {
  tier: string;
  /** Headings of the columns. */
  variable: string;
  values: string;
  fallback: string;
  meaning: string;
  /** In place of the default of a variable that has none and must be set. */
  required: string;
}

/** Text with code between backticks. */
const withCode = (text: string) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order.
  text.split('`').map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));

export function ConfigurationTable({ tier, ...words }: ConfigurationTableProps) {
  const { allConfigurationVariable } = useStaticQuery<QueryData<Queries.ConfigurationQuery>>(graphql`
    query Configuration {
      allConfigurationVariable(sort: { position: ASC }) {
        nodes {
          tier
          name
          values
          fallback
          required
          description
        }
      }
    }
  `);
  const variables = allConfigurationVariable.nodes.filter((one) => one.tier === tier);
  return (
    <Table>
      <thead>
        <tr>
          <th scope="col">{words.variable}</th>
          <th scope="col">{words.values}</th>
          <th scope="col">{words.fallback}</th>
          <th scope="col">{words.meaning}</th>
        </tr>
      </thead>
      <tbody data-source="configuration">
        {variables.map(({ name, values, fallback, required, description }) => (
          <tr key={name} id={`${tier}-${name.toLowerCase().replaceAll('_', '-')}`}>
            <th scope="row">
              <code>{name}</code>
            </th>
            <td>
              <code>{values}</code>
            </td>
            <td>{required ? words.required : fallback && <code>{fallback}</code>}</td>
            <td>{withCode(description)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
