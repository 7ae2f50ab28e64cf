import { graphql, useStaticQuery } from 'gatsby';
import * as styles from './copy-button.module.css';
import { useCopy } from './use-copy';

/** @param read gives the text when the button is pressed */
export function CopyButton({ read }: { read: () => string }) {
  const texts = useCodeTexts();
  const [outcome, copy] = useCopy(read);
  return (
    <>
      <button type="button" className={styles.copy} onClick={copy}>
        {outcome === 'copied' ? texts.copied : texts.copy}
      </button>
      <span role="status" className={outcome === 'failed' ? styles.failed : 'visually-hidden'}>
        {outcome && (outcome === 'copied' ? texts.copied : texts.copyFailed)}
      </span>
    </>
  );
}

export const useCodeTexts = () =>
  useStaticQuery<QueryData<Queries.CodeTextsQuery>>(graphql`
    query CodeTexts {
      contentCode { tabs copy copied copyFailed }
    }
  `).contentCode;
