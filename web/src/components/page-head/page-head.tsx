import interLatin from '@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2';
import { graphql } from 'gatsby';
import type { ReactNode } from 'react';
import { ENDPOINT_META } from '../../features/analytics/track';
import { useSite } from '../use-site';
import { Canonical } from './canonical';
import { SocialCard } from './social-card';
import { type ArticleDates, type Question, StructuredData } from './structured-data';

interface PageHeadProps {
  path: string;
  frontmatter: Frontmatter;
  /** Whether analytics may report visits of this page. */
  isCounted?: boolean;
  /** For an article: dates of publication and change. */
  article?: ArticleDates;
  /** For an FAQ. */
  questions?: readonly Question[];
  /** Breadcrumbs, from the outermost page to this one. */
  trail?: readonly { label: string; to: string }[];
  children?: ReactNode;
}

export type Frontmatter = Queries.TextMetaFragment;

/** The metadata of a page, for its template's Head. */
export function PageHead({
  path,
  frontmatter,
  isCounted = true,
  article,
  questions,
  trail,
  children,
}: PageHeadProps) {
  const { analyticsUrl, titleOf } = useSite();
  const { title, description, keywords, noindex } = frontmatter;
  return (
    <>
      <title>{titleOf(title)}</title>
      <meta name="description" content={description} />
      {keywords && <meta name="keywords" content={keywords.join(', ')} />}
      {noindex ? <meta name="robots" content="noindex" /> : <Canonical path={path} />}
      <SocialCard path={path} title={title} description={description} noindex={noindex} article={article} />
      <StructuredData
        path={path}
        title={title}
        description={description}
        article={article}
        questions={questions}
        trail={trail}
      />
      {isCounted && analyticsUrl && <meta name={ENDPOINT_META} content={analyticsUrl} />}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      <link rel="manifest" href="/manifest.webmanifest" />
      <link rel="preload" href={interLatin} as="font" type="font/woff2" crossOrigin="anonymous" />
      {children}
    </>
  );
}

/** The metadata of JSON pages and of MDX pages. */
export const query = graphql`
  fragment PageMeta on ContentPage {
    title description keywords noindex
  }

  fragment TextMeta on Frontmatter {
    title description keywords noindex
  }
`;
