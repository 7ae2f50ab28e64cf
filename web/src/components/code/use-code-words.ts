import { graphql, useStaticQuery } from 'gatsby';

interface CodeWords {
  tabs: string;
  copy: string;
  copied: string;
  copyFailed: string;
}

export function useCodeWords(): CodeWords {
  const { contentCode } = useStaticQuery<{ contentCode: CodeWords }>(graphql`
    query CodeWords {
      contentCode { tabs copy copied copyFailed }
    }
  `);
  return contentCode;
}
