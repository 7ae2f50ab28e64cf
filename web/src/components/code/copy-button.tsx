import { graphql, useStaticQuery } from 'gatsby';
import { useEffect, useRef, useState } from 'react';
import { track } from '../../features/analytics/track';
import * as styles from './copy-button.module.css';

/** How long the button shows the outcome, in milliseconds. */
const OUTCOME_MS = 2500;

type Outcome = 'copied' | 'copyFailed';

/** @param read gives the text when the button is pressed */
export function CopyButton({ read }: { read: () => string }) {
  const words = useCodeWords();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const copy = async () => {
    setOutcome(await write(read()));
    track('copy');
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOutcome(null), OUTCOME_MS);
  };
  return (
    <>
      <button type="button" className={styles.copy} onClick={copy}>
        {outcome === 'copied' ? words.copied : words.copy}
      </button>
      <span role="status" className={outcome === 'copyFailed' ? styles.failed : 'visually-hidden'}>
        {outcome && words[outcome]}
      </span>
    </>
  );
}

/** Browsers deny the clipboard to insecure and inactive pages. */
async function write(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return 'copyFailed';
  }
}

export const useCodeWords = () =>
  useStaticQuery<QueryData<Queries.CodeWordsQuery>>(graphql`
    query CodeWords {
      contentCode { tabs copy copied copyFailed }
    }
  `).contentCode;
