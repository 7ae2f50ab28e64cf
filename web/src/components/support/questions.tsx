import { Link } from 'gatsby';
import { Disclosure } from '../ui/disclosure';
import * as styles from './faq.module.css';
import { useOpenTarget } from './use-open-target';

type FaqItem = QueryData<Queries.FaqPageQuery>['contentFaq']['questions'][number];

/** The questions as independent disclosures. A link to a question opens it. */
export function Questions({ questions }: { questions: readonly FaqItem[] }) {
  useOpenTarget();
  return (
    <div className={styles.questions}>
      {questions.map(({ slug, question, text, links }) => (
        <Disclosure key={slug} id={slug} summary={question}>
          {text.map((paragraph) => (
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
