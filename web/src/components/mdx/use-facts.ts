import { graphql, useStaticQuery } from 'gatsby';

export function useFacts(): Record<string, string> {
  const { allFact } = useStaticQuery<QueryData<Queries.FactsQuery>>(graphql`
    query Facts {
      allFact { nodes { name value } }
    }
  `);
  return Object.fromEntries(allFact.nodes.map(({ name, value }) => [name, value]));
}
