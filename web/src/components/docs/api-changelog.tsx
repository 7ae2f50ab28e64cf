/** Lists of the versions of the API, and of what the contract has since its last release. */
import { graphql, useStaticQuery } from 'gatsby';
import { CodeInText } from '../ui/code-in-text';

export const ApiVersions = () => (
  <ul data-source="versions">
    {useApiChangelog().allApiVersion.nodes.map(({ date, changes }) => (
      <li key={date}>
        <code>{date}</code>: {changes.join(' ')}
      </li>
    ))}
  </ul>
);

/** @param none stands for an empty list */
export function ApiAdditions({ none }: { none: string }) {
  const { nodes } = useApiChangelog().allApiAddition;
  if (nodes.length === 0) return <p>{none}</p>;
  return (
    <ul data-source="contract">
      {nodes.map(({ text }) => (
        <li key={text}>
          <CodeInText>{text}</CodeInText>
        </li>
      ))}
    </ul>
  );
}

const useApiChangelog = () =>
  useStaticQuery<QueryData<Queries.ApiChangelogQuery>>(graphql`
    query ApiChangelog {
      allApiVersion(sort: { position: ASC }) { nodes { date changes } }
      allApiAddition(sort: { position: ASC }) { nodes { text } }
    }
  `);
