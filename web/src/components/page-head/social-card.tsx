import { useSite } from '../use-site';
import type { ArticleDates } from './structured-data';

interface SocialCardProps {
  path: string;
  title: string;
  description: string;
  noindex: boolean | null;
  article: ArticleDates | undefined;
}

/** Metadata of shared links. The build renders an image for each indexed page. */
export function SocialCard({ path, title, description, noindex, article }: SocialCardProps) {
  const { brand, siteUrl, titleOf } = useSite();
  const card = noindex || path === '/' ? '/home' : path;
  return (
    <>
      <meta property="og:type" content={article ? 'article' : 'website'} />
      <meta property="og:site_name" content={brand} />
      <meta property="og:title" content={titleOf(title)} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={siteUrl + path} />
      <meta property="og:image" content={`${siteUrl}/social${card}.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={title} />
      {article && <meta property="article:published_time" content={article.publishedDate} />}
      {article && <meta property="article:modified_time" content={article.lastUpdated} />}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
