import { type ComponentProps, useRef } from 'react';
import * as styles from './code-block.module.css';
import { CopyButton } from './copy-button';

/** A fenced block of MDX with its copy button. MDX renders `pre` with it. */
export function CodeBlock(props: ComponentProps<'pre'>) {
  const pre = useRef<HTMLPreElement>(null);
  return (
    <div className={styles.block}>
      <pre {...props} ref={pre} />
      <div className={styles.tools}>
        <CopyButton read={() => pre.current?.textContent ?? ''} />
      </div>
    </div>
  );
}
