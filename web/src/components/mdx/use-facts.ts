import { graphql, useStaticQuery } from 'gatsby';

/** Numbers and names of the contract as text, by the names that content uses. */
export function useFacts(): Record<string, string> {
  const { allFact } = useStaticQuery<QueryData<Queries.FactsQuery>>(graphql`
    query Facts {
      allFact { nodes { name value } }
    }
  `);
  return Object.fromEntries(allFact.nodes.map(({ name, value }) => [name, value]));
}
