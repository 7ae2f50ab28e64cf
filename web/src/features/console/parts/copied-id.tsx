import Check from 'lucide-react/dist/esm/icons/check.mjs';
import Copy from 'lucide-react/dist/esm/icons/copy.mjs';
import { useCodeTexts } from '../../../components/code/copy-button';
import { useCopy } from '../../../components/code/use-copy';
import * as styles from './copied-id.module.css';

/** An id with a button that copies it. */
export function CopiedId({ id }: { id: string }) {
  const texts = useCodeTexts();
  const [outcome, copy] = useCopy(() => id);
  const Icon = outcome === 'copied' ? Check : Copy;
  return (
    <span className={styles.id}>
      <code>{id}</code>
      <button
        type="button"
        className={styles.copy}
        title={texts.copy}
        aria-label={`${texts.copy} ${id}`}
        onClick={copy}
      >
        <Icon aria-hidden size={15} strokeWidth={1.75} />
      </button>
      <span role="status" className="visually-hidden">
        {outcome && (outcome === 'copied' ? texts.copied : texts.copyFailed)}
      </span>
    </span>
  );
}
