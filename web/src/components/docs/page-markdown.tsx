import { useCopy } from '../code/use-copy';
import * as styles from './page-markdown.module.css';
import { useDocs } from './use-docs';

/**
 * A button that copies the page as Markdown, and a link to that Markdown. The file loads when the button is pressed.
 * @param of path of the page
 */
export function PageMarkdown({ of }: { of: string }) {
  const { markdown: words } = useDocs();
  const address = `${of}.md`;
  const [outcome, copy] = useCopy(() => load(address));
  return (
    <p className={styles.markdown} data-tools>
      <button type="button" onClick={copy}>
        {outcome === 'copied' ? words.copied : words.copy}
      </button>
      <a href={address}>{words.view}</a>
      <span role="status" className={outcome === 'failed' ? styles.failed : 'visually-hidden'}>
        {outcome && words[outcome]}
      </span>
    </p>
  );
}

async function load(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} has the status ${response.status}.`);
  return response.text();
}
