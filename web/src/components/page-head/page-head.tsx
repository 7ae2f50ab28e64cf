import interLatin from '@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2';
import { graphql, type HeadProps } from 'gatsby';
import type { ReactNode } from 'react';
import { ENDPOINT_META } from '../../analytics/track';
import { useSite } from '../use-site';
import { Canonical, type PageHeadProps, SocialCard, StructuredData } from './metadata';

interface Options {
  /** Whether analytics may report visits of this page. */
  isCounted?: boolean;
  children?: ReactNode;
}

/** The metadata of a page, for its template's Head. */
export function PageHead({ isCounted = true, children, ...page }: PageHeadProps & Options) {
  const { analyticsUrl, titleOf } = useSite();
  const { title, description, keywords, noindex } = page.frontmatter;
  return (
    <>
      <title>{titleOf(title)}</title>
      <meta name="description" content={description} />
      {keywords && <meta name="keywords" content={keywords.join(', ')} />}
      {noindex ? <meta name="robots" content="noindex" /> : <Canonical path={page.path} />}
      <SocialCard {...page} />
      <StructuredData {...page} />
      {isCounted && analyticsUrl && <meta name={ENDPOINT_META} content={analyticsUrl} />}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
      <link rel="preload" href={interLatin} as="font" type="font/woff2" crossOrigin="anonymous" />
      {children}
    </>
  );
}

/** The Head of a template whose metadata the query returns. */
export const headOf =
  <Data,>(frontmatterOf: (data: Data) => PageHeadProps['frontmatter']) =>
  ({ data, location }: HeadProps<Data>) => (
    <PageHead path={location.pathname} frontmatter={frontmatterOf(data)} />
  );

/** The metadata of JSON pages and of MDX pages. */
export const query = graphql`
  fragment PageMeta on ContentPage {
    title description keywords noindex
  }

  fragment TextMeta on Frontmatter {
    title description keywords noindex
  }
`;
