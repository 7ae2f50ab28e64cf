import interLatin from '@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2';
import { ENDPOINT_META } from '../../features/analytics/track';
import { useSite } from '../use-site';

interface PageHeadProps {
  path: string;
  frontmatter: Frontmatter;
  /** Whether visits of this page may be counted. */
  isCounted?: boolean;
}

export interface Frontmatter {
  title: string;
  description: string;
  keywords: string[] | null;
  noindex: boolean | null;
}

/** A page's metadata, for the Head that its template exports. */
export function PageHead({ path, frontmatter, isCounted = true }: PageHeadProps) {
  const { brand, siteUrl, analyticsUrl, titleOf } = useSite();
  const { description, keywords, noindex } = frontmatter;
  const title = titleOf(frontmatter.title);
  const address = `${siteUrl}${path}`;
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {keywords && <meta name="keywords" content={keywords.join(', ')} />}
      {noindex ? <meta name="robots" content="noindex" /> : <link rel="canonical" href={address} />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={brand} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta name="twitter:card" content="summary" />
      {isCounted && analyticsUrl && <meta name={ENDPOINT_META} content={analyticsUrl} />}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="preload" href={interLatin} as="font" type="font/woff2" crossOrigin="anonymous" />
    </>
  );
}
