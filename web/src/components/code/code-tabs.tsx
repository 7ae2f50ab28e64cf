/**
 * One sample in several languages. All panels are in the HTML. The style sheet shows the language in data-code of
 * <html>, so that a stored choice applies from the first paint. Without scripts it shows all panels, each below its
 * name.
 */
import { type KeyboardEvent, useId, useRef } from 'react';
import { useRootChoice } from '../../root-choice';
import * as styles from './code-tabs.module.css';
import { CopyButton, useCodeTexts } from './copy-button';
import { LANGUAGE } from './language';

export interface Sample {
  language: string;
  label: string;
  /** A `pre`, highlighted by the build. */
  html: string;
}

interface CodeTabsProps {
  samples: readonly Sample[];
  caption?: string;
}

export function CodeTabs({ samples, caption }: CodeTabsProps) {
  const texts = useCodeTexts();
  const [chosen, choose] = useRootChoice(LANGUAGE);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const panels = useRef<HTMLDivElement>(null);
  const current = samples.find(({ language }) => language === chosen) ?? samples[0];

  const show = (sample: Sample) => {
    const before = list.current?.getBoundingClientRect().top ?? 0;
    choose(sample.language);
    // Samples above change their height as well. Scrolling keeps the pressed tab in place.
    const after = list.current?.getBoundingClientRect().top ?? 0;
    scrollAtOnce(after - before);
  };

  const move = (event: KeyboardEvent) => {
    const position = nextPosition(event.key, samples.indexOf(current as Sample), samples.length);
    const next = position === undefined ? undefined : samples[position];
    if (!next) return;
    event.preventDefault();
    show(next);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[position as number]?.focus();
  };

  const read = () =>
    panels.current?.querySelector(`[data-language="${current?.language}"] pre`)?.textContent ?? '';

  return (
    <div className={styles.group}>
      <div className={styles.bar}>
        {caption && <p className={styles.caption}>{caption}</p>}
        <div ref={list} role="tablist" aria-label={texts.tabs} className={styles.tabs} onKeyDown={move}>
          {samples.map((sample) => (
            <button
              key={sample.language}
              type="button"
              role="tab"
              id={`${id}${sample.language}`}
              aria-controls={`${id}${sample.language}-panel`}
              aria-selected={sample === current}
              tabIndex={sample === current ? 0 : -1}
              className={styles.tab}
              onClick={() => show(sample)}
            >
              {sample.label}
            </button>
          ))}
        </div>
        <div className={styles.tools}>
          <CopyButton read={read} />
        </div>
      </div>
      <div
        ref={panels}
        className={styles.panels}
        data-languages={samples.map(({ language }) => language).join(' ')}
      >
        {samples.map(({ language, label, html }) => (
          <div
            key={language}
            role="tabpanel"
            id={`${id}${language}-panel`}
            aria-labelledby={`${id}${language}`}
            data-language={language}
          >
            <p className={styles.name}>{label}</p>
            {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the build writes it from files of this site. */}
            <div dangerouslySetInnerHTML={{ __html: html }} />
          </div>
        ))}
      </div>
    </div>
  );
}

/** The tab that a key leads to, wrapping around; undefined for other keys. */
function nextPosition(key: string, position: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (position + 1) % count;
    case 'ArrowLeft':
      return (position + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** Scrolls without animation. Safari 13 lacks the option `behavior` of scrollBy. */
function scrollAtOnce(by: number) {
  const { style } = document.documentElement;
  style.scrollBehavior = 'auto';
  window.scrollBy(0, by);
  style.scrollBehavior = '';
}
