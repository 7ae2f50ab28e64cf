import { graphql, useStaticQuery } from 'gatsby';

interface SearchWords {
  button: string;
  fallback: string;
  title: string;
  label: string;
  close: string;
  hint: string;
  nothing: string;
  failed: string;
  groups: { label: string; id: string }[];
}

export function useSearchWords(): SearchWords {
  const { contentSearch } = useStaticQuery<{ contentSearch: SearchWords }>(graphql`
    query SearchWords {
      contentSearch { button fallback title label close hint nothing failed groups { label id } }
    }
  `);
  return contentSearch;
}
