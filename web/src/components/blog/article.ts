/** What pages know of an article. */
export interface ArticleSummary {
  path: string;
  title: string;
  description: string;
  category: string;
  /** Minutes. */
  readingTime: number;
  /** For readers, and as ISO 8601. */
  published: string;
  publishedDate: string;
  updated: string;
  lastUpdated: string;
  featured: boolean | null;
  thumbnail: string;
  author: { name: string };
  tags: string[];
}
