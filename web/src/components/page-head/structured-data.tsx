import { useSite } from '../use-site';

export interface ArticleDates {
  /** ISO 8601. */
  publishedDate: string;
  lastUpdated: string;
}

export interface Question {
  question: string;
  text: string;
}

interface StructuredDataProps {
  path: string;
  title: string;
  description: string;
  article: ArticleDates | undefined;
  questions: readonly Question[] | undefined;
  trail: readonly { label: string; to: string }[] | undefined;
}

/** Structured data of schema.org. */
export function StructuredData({ path, title, description, article, questions, trail }: StructuredDataProps) {
  const { brand, siteUrl } = useSite();
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
