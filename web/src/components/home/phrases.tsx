import { Fragment } from 'react';
import * as styles from './home.module.css';

/** A heading that breaks between its phrases, in every browser, where one line has no room for all of them. */
export const Phrases = ({ phrases }: { phrases: readonly string[] }) =>
  phrases.map((phrase, position) => (
    <Fragment key={phrase}>
      {position > 0 && ' '}
      <span className={styles.phrase}>{phrase}</span>
    </Fragment>
  ));
