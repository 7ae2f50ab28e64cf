/** The search dialog, which loads with its index on first use. */
import { Close, Content, Portal, Root, Title } from '@radix-ui/react-dialog';
import { Link, navigate, withPrefix } from 'gatsby';
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { track } from '../../analytics/track';
import { ComboboxField } from '../../components/ui/combobox-field';
import { excerptOf, markTerms } from './excerpt';
import type { Find, Result } from './find';
import { loadIndex } from './load-index';
import * as styles from './search-dialog.module.css';
import type { SearchTexts } from './use-search-texts';

export { loadIndex };

interface SearchDialogProps {
  texts: SearchTexts;
  /** Text that the reader typed before the dialog was there. */
  typed: RefObject<string | undefined>;
  /** Receives the focus when the dialog closes. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
}

export default function SearchDialog({ texts, typed, opener, onClose }: SearchDialogProps) {
  const { query, setQuery, results, isReady, hasFailed } = useSearch();
  const [active, setActive] = useState(0);
  const isEmpty = isReady && query.trim() !== '' && results.length === 0;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);

  const open = ({ url, group }: Result) => {
    track('search', { group });
    onClose();
    navigate(url);
  };

  return (
    <Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Portal>
        <div className={styles.veil} />
        <Content
          className={styles.dialog}
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            input.current?.focus();
            setQuery(typed.current ?? '');
            typed.current = undefined;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            opener.current?.focus();
          }}
        >
          <div className={styles.head}>
            <Title className={styles.title}>{texts.title}</Title>
            <Close className={styles.close}>{texts.close}</Close>
          </div>
          <ComboboxField
            ref={input}
            className={styles.input}
            type="search"
            maxLength={200}
            label={texts.label}
            text={query}
            list={list}
            count={results.length}
            active={active}
            onText={setQuery}
            onActive={setActive}
            onChoose={(position) => open(results[position] as Result)}
          />
          {results.length > 0 && (
            <SearchResults
              id={list}
              label={texts.title}
              groups={texts.groups}
              results={results}
              active={active}
              onOpen={open}
            />
          )}
          <p className={styles.state} role="status">
            {hasFailed ? texts.failed : isEmpty ? texts.nothing.replace('{query}', () => query) : texts.hint}
            {isEmpty && (
              <>
                {' '}
                <Link to={texts.ask.to} onClick={onClose}>
                  {texts.ask.label}
                </Link>
              </>
            )}
          </p>
        </Content>
      </Portal>
    </Root>
  );
}

function useSearch() {
  const [query, setQuery] = useState('');
  const [find, setFind] = useState<Find>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    loadIndex().then(
      (loaded) => setFind(() => loaded),
      () => setFailed(true),
    );
  }, []);
  const results = useMemo(() => (find && query.trim() ? find(query) : []), [find, query]);
  return { query, setQuery, results, isReady: find !== undefined, hasFailed };
}

interface SearchResultsProps {
  id: string;
  label: string;
  groups: readonly { id: string; label: string }[];
  results: readonly Result[];
  active: number;
  onOpen: (result: Result) => void;
}

/** Results, the best first, with marked matches. */
function SearchResults({ id, label, groups, results, active, onOpen }: SearchResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  return (
    <div ref={list} id={id} className={styles.results} role="listbox" aria-label={label}>
      {results.map((result, position) => (
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
          <Entry {...result} group={groups.find((group) => group.id === result.group)?.label ?? ''} />
        </a>
      ))}
    </div>
  );
}

function Entry({ heading, title, text, terms, group }: Result) {
  return (
    <>
      <span className={styles.heading}>
        <Marked text={heading} terms={terms} />
        <span className={styles.page}>
          {group}
          {title && ': '}
          <Marked text={title} terms={terms} />
        </span>
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
