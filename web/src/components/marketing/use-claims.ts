import { graphql, useStaticQuery } from 'gatsby';

export interface Claim {
  claimId: string;
  label: string;
  headline: string | null;
  line: string;
  status: string;
  target: { text: string } | null;
}

interface ClaimsData {
  contentClaims: {
    path: string;
    labels: { target: string; evidence: string; evidenceFor: string };
    states: { name: string; label: string }[];
    groups: { claims: Claim[] }[];
  };
}

/** Every claim of the site with its figure, how it stands, and where its evidence is. */
export function useClaims() {
  const { contentClaims } = useStaticQuery<ClaimsData>(graphql`
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
