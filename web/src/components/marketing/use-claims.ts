import { graphql, useStaticQuery } from 'gatsby';

/** All claims of the site with figure, status and address of the evidence. */
export function useClaims() {
  const { contentClaims } = useStaticQuery<QueryData<Queries.ClaimsQuery>>(graphql`
    query Claims {
      contentClaims {
        path
        labels { target evidence evidenceFor }
        states { name label }
        groups { claims { claimId label headline line status target { text } } }
      }
    }
  `);
  const { path, labels, states, groups } = contentClaims;
  return {
    path,
    labels,
    claims: groups.flatMap(({ claims }) => claims),
    stateOf: (status: string) => states.find(({ name }) => name === status)?.label ?? status,
  };
}
