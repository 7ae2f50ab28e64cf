import { Link } from 'gatsby';
import { useEffect } from 'react';
import { hashId } from '../../hash-id';
import { Disclosure } from '../ui/disclosure';
import * as styles from './faq.module.css';

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

/** Opens the <details> of the address's fragment, initially and when the fragment changes. */
function useOpenTarget() {
  useEffect(() => {
    const open = () => {
      const target = document.getElementById(hashId(window.location.hash));
      if (!(target instanceof HTMLDetailsElement) || target.open) return;
      target.open = true;
      target.scrollIntoView();
    };
    open();
    window.addEventListener('hashchange', open);
    return () => window.removeEventListener('hashchange', open);
  }, []);
}
