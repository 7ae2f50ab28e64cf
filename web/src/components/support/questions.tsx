import { Link } from 'gatsby';
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
  useOpenTarget();
  return (
    <div className={styles.questions}>
      {questions.map(({ slug, question, answer, links }) => (
        <Disclosure key={slug} id={slug} summary={question}>
          {answer.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
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
