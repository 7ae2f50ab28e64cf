import { Disclosure } from '../ui/disclosure';
import type { Question } from './product';
import * as styles from './questions.module.css';

export function Questions({ questions }: { questions: Question[] }) {
  return (
    <div className={styles.questions}>
      {questions.map(({ question, answer }) => (
        <Disclosure key={question} summary={question}>
          <p>{answer}</p>
        </Disclosure>
      ))}
    </div>
  );
}
