import { withPrefix } from 'gatsby';
import { useEffect, useRef } from 'react';
import { excerptOf, markTerms } from './excerpt';
import type { Result } from './load-index';
import * as styles from './search-dialog.module.css';

interface SearchResultsProps {
  id: string;
  /** Label of the list. */
  label: string;
  groups: readonly { id: string; label: string }[];
  /** Sorted by group. */
  results: readonly Result[];
  active: number;
  onOpen: (result: Result) => void;
}

/** Results by group, with marked matches. */
export function SearchResults({ id, label, groups, results, active, onOpen }: SearchResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div ref={list} id={id} className={styles.results} role="listbox" aria-label={label}>
      {groups
        .filter((group) => results.some((result) => result.group === group.id))
        .map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a listbox must not contain a fieldset.
          <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`}>
            <p id={`${id}-${group.id}`} className={styles.group}>
              {group.label}
            </p>
            {results.map(
              (result, position) =>
                result.group === group.id && (
                  <a
                    key={result.id}
                    id={`${id}-${position}`}
                    role="option"
                    aria-selected={position === active}
                    tabIndex={-1}
                    className={styles.result}
                    href={withPrefix(result.url)}
                    onClick={(event) => {
                      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                      event.preventDefault();
                      onOpen(result);
                    }}
                  >
                    <Entry {...result} />
                  </a>
                ),
            )}
          </div>
        ))}
    </div>
  );
}

function Entry({ heading, title, text, terms }: Result) {
  return (
    <>
      <span className={styles.heading}>
        <Marked text={heading} terms={terms} />
        {title && (
          <span className={styles.page}>
            <Marked text={title} terms={terms} />
          </span>
        )}
      </span>
      <span className={styles.excerpt}>
        <Marked text={excerptOf(text, terms)} terms={terms} />
      </span>
    </>
  );
}

function Marked({ text, terms }: { text: string; terms: string[] }) {
  return markTerms(text, terms).map(({ text: part, isMatch, start }) =>
    isMatch ? <mark key={start}>{part}</mark> : part,
  );
}
