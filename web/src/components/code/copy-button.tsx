import { graphql, useStaticQuery } from 'gatsby';
import * as styles from './copy-button.module.css';
import { useCopy } from './use-copy';

/** @param read gives the text when the button is pressed */
export function CopyButton({ read }: { read: () => string }) {
  const words = useCodeWords();
  const [outcome, copy] = useCopy(read);
  return (
    <>
      <button type="button" className={styles.copy} onClick={copy}>
        {outcome === 'copied' ? words.copied : words.copy}
      </button>
      <span role="status" className={outcome === 'failed' ? styles.failed : 'visually-hidden'}>
        {outcome && (outcome === 'copied' ? words.copied : words.copyFailed)}
      </span>
    </>
  );
}

export const useCodeWords = () =>
  useStaticQuery<QueryData<Queries.CodeWordsQuery>>(graphql`
    query CodeWords {
      contentCode { tabs copy copied copyFailed }
    }
  `).contentCode;
