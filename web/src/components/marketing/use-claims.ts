import { graphql, useStaticQuery } from 'gatsby';

export interface Claim {
  claimId: string;
  value: string;
  label: string;
  figure: { text: string | null } | null;
}

interface ClaimsData {
  contentClaims: { measured: string; unmeasured: string; page: string; claims: Claim[] };
}

/** Every claim of the site, with the text of what was measured: null where nothing was. */
export function useClaims() {
  const { contentClaims } = useStaticQuery<ClaimsData>(graphql`
    query Claims {
      contentClaims {
        measured
        unmeasured
        page
        claims {
          claimId
          value
          label
          figure {
            text
          }
        }
      }
    }
  `);
  return contentClaims;
}
