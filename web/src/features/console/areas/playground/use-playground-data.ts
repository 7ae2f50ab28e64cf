import { graphql, useStaticQuery } from 'gatsby';

/** The contract's thresholds and formats, and the site's sample images. */
export const usePlaygroundData = () =>
  useStaticQuery<QueryData<Queries.PlaygroundQuery>>(graphql`
    query Playground {
      contractLimits {
        thresholds { similarityDefault moderationConfidenceDefault guidance { label from to } }
        image { formats { label mediaType signature } }
      }
      allDemoImage(sort: { position: ASC }) { nodes { name src width height } }
    }
  `);
