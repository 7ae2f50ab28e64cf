import { Disclosure } from '../ui/disclosure';
import type { Product } from './product';
import * as styles from './questions.module.css';

export function Questions({ questions }: { questions: Product['faq'] }) {
  return (
    <div className={styles.questions}>
      {questions.map(({ question, text }) => (
        <Disclosure key={question} summary={question}>
          <p>{text}</p>
        </Disclosure>
      ))}
    </div>
  );
}
