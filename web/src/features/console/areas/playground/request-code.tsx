/** The request of the playground as code, in a tab for each language. */
import type { KeyMode } from '@presenza/contract/console/types.d.ts';
import { Link } from 'gatsby';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { CopyButton } from '../../../../components/code/copy-button';
import { fill } from '../../../../fill';
import { Block } from '../../parts/page';
import { useConsole } from '../../state/context';
import * as styles from './request-code.module.css';
import { type Language, languages, type SampleRequest, sampleOf } from './samples';

interface RequestCodeProps {
  /** Undefined while an image is missing. */
  request: SampleRequest | undefined;
  mode: KeyMode;
}

export function RequestCode({ request, mode }: RequestCodeProps) {
  const { request: texts, mode: modes } = useConsole().texts.playground;
  return (
    <Block title={texts.title}>
      {request ? (
        <>
          <Tabs request={request} />
          <p className={styles.note}>
            {fill(texts.note, { mode: modes[mode].toLowerCase() })}{' '}
            <Link to="/console/keys">{texts.keys}</Link>
          </p>
        </>
      ) : (
        <p className={styles.note}>{texts.missing}</p>
      )}
    </Block>
  );
}

function Tabs({ request }: { request: SampleRequest }) {
  const { request: texts } = useConsole().texts.playground;
  const [chosen, setChosen] = useState<Language>('curl');
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const code = sampleOf(chosen, request);
  const name = languages.find(([language]) => language === chosen)?.[1] ?? chosen;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const place = languages.findIndex(([language]) => language === chosen);
    const next = (place + step + languages.length) % languages.length;
    setChosen(languages[next]?.[0] ?? chosen);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div className={styles.group}>
      <div className={styles.bar}>
        <div ref={list} role="tablist" aria-label={texts.languages} className={styles.tabs} onKeyDown={move}>
          {languages.map(([language, label]) => (
            <button
              key={language}
              type="button"
              role="tab"
              id={`${id}${language}`}
              aria-controls={`${id}panel`}
              aria-selected={language === chosen}
              tabIndex={language === chosen ? 0 : -1}
              onClick={() => setChosen(language)}
            >
              {label}
            </button>
          ))}
        </div>
        <CopyButton read={() => code} />
      </div>
      <div role="tabpanel" id={`${id}panel`} aria-labelledby={`${id}${chosen}`}>
        <section aria-label={fill(texts.label, { language: name })}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll. */}
          <pre tabIndex={0}>
            <code>{code}</code>
          </pre>
        </section>
      </div>
    </div>
  );
}
