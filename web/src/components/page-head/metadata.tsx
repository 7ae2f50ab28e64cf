/** Metadata for shared links and search engines. */
import { useSite } from '../use-site';

export interface PageHeadProps {
  path: string;
  frontmatter: Queries.TextMetaFragment;
  /** Dates of publication and change of an article, ISO 8601. */
  article?: { publishedDate: string; lastUpdated: string };
  questions?: readonly { question: string; text: string }[];
  /** Breadcrumbs, from the outermost page to this one. */
  trail?: readonly { label: string; to: string }[];
}

export const Canonical = ({ path }: { path: string }) => (
  <link rel="canonical" href={useSite().siteUrl + path} />
);

/** The build renders an image for each indexed page. */
export function SocialCard({ path, frontmatter, article }: PageHeadProps) {
  const { brand, siteUrl, titleOf } = useSite();
  const { title, description, noindex } = frontmatter;
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

/** Structured data of schema.org. */
export function StructuredData({ path, frontmatter, article, questions, trail }: PageHeadProps) {
  const { brand, siteUrl } = useSite();
  const { title, description } = frontmatter;
  const organization = {
    '@type': 'Organization',
    name: brand,
    url: siteUrl,
    logo: `${siteUrl}/icon-512.png`,
  };
  const things: object[] = [];
  if (path === '/') things.push(organization, { '@type': 'WebSite', name: brand, url: siteUrl });
  if (article)
    things.push({
      '@type': 'BlogPosting',
      headline: title,
      description,
      datePublished: article.publishedDate,
      dateModified: article.lastUpdated,
      image: `${siteUrl}/social${path}.png`,
      mainEntityOfPage: siteUrl + path,
      author: organization,
      publisher: organization,
    });
  if (questions)
    things.push({
      '@type': 'FAQPage',
      mainEntity: questions.map(({ question, text }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text },
      })),
    });
  if (trail)
    things.push({
      '@type': 'BreadcrumbList',
      itemListElement: trail.map(({ label, to }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: label,
        item: siteUrl + to,
      })),
    });
  return things.map((thing) => <JsonLd key={JSON.stringify(thing)} data={thing} />);
}

/** Escapes <, which could otherwise close the script element. */
function JsonLd({ data }: { data: object }) {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...data }).replace(/</g, '\\u003c');
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON in a script; React would escape its quotes.
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
