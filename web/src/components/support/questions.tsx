import { Link } from 'gatsby';
import { useFill } from '../mdx/use-fill';
import { Disclosure } from '../ui/disclosure';
import type { Link as Target } from '../use-site';
import * as styles from './faq.module.css';
import { useOpenTarget } from './use-open-target';

export interface FaqItem {
  slug: string;
  question: string;
  /** Paragraphs. */
  answer: string[];
  links: Target[] | null;
}

/** Each opens and closes by itself; a link to one opens it. */
export function Questions({ questions }: { questions: FaqItem[] }) {
  const fill = useFill();
  useOpenTarget();
  return (
    <div className={styles.questions}>
      {questions.map(({ slug, question, answer, links }) => (
        <Disclosure key={slug} id={slug} summary={fill(question)}>
          {answer.map((paragraph) => (
            <p key={paragraph}>{fill(paragraph)}</p>
          ))}
          {links && (
            <p className={styles.links}>
              {links.map(({ label, to }) => (
                <Link key={to} to={to}>
                  {label}
                </Link>
              ))}
            </p>
          )}
        </Disclosure>
      ))}
    </div>
  );
}
