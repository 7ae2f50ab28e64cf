import { useCopy } from '../code/use-copy';
import * as styles from './page-markdown.module.css';
import { useDocs } from './use-docs';

/**
 * A button that copies the page as Markdown, and a link to that Markdown. The file loads when the button is pressed.
 * @param path of the page
 */
export function PageMarkdown({ path }: { path: string }) {
  const { markdown: texts } = useDocs();
  const address = `${path}.md`;
  const [outcome, copy] = useCopy(() => load(address));
  return (
    <p className={styles.markdown} data-tools>
      <button type="button" onClick={copy}>
        {outcome === 'copied' ? texts.copied : texts.copy}
      </button>
      <a href={address}>{texts.view}</a>
      <span role="status" className={outcome === 'failed' ? styles.failed : 'visually-hidden'}>
        {outcome && texts[outcome]}
      </span>
    </p>
  );
}

async function load(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} has the status ${response.status}.`);
  return response.text();
}
