/** A product's page as GraphQL gives it. */
import type { TitledText } from '../marketing/titled-list';
import type { Link } from '../use-site';

export interface TitledTexts {
  lead: string;
  items: TitledText[];
}

export interface Step extends TitledText {
  drawing: string;
}

export interface Category extends Step {
  /** The `type` that answers of the API give. */
  answer: string;
}

export interface Exchange {
  text: string;
  operation: string;
  reference: Link;
  messages: { label: string; example: { name: string; html: string } }[];
}

export interface Specification {
  term: string;
  text: string;
}

export interface Question {
  question: string;
  answer: string;
}

/** Words that the pages of all products share. */
export interface ProductPageWords {
  back: Link;
  sidebar: { label: string; links: Link[] };
  claims: string;
  headings: Record<
    'howItWorks' | 'capabilities' | 'exchange' | 'specifications' | 'perfectFor' | 'faq',
    string
  >;
  counted: string;
  start: string;
}
