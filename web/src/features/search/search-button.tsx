/** Opens the search, as do Ctrl+K, Cmd+K and the slash. Without JavaScript it links to the documentation. */
import { Link } from 'gatsby';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useHasScript } from '../../use-has-script';
import * as styles from './search-button.module.css';
import { useSearchTexts } from './use-search-texts';

const loadDialog = () => import('./search-dialog');
const SearchDialog = lazy(loadDialog);

/** Loads what the search needs while the reader still reaches for it. A failure shows when the search opens. */
const prepare = () =>
  void loadDialog()
    .then(({ loadIndex }) => loadIndex())
    .catch(() => {});

interface SearchButtonProps {
  /** Whether the label is visible beside the icon. */
  wide?: boolean;
  /** Whether this button handles the keyboard; one of each page does. */
  shortcuts?: boolean;
}

export function SearchButton({ wide = false, shortcuts = false }: SearchButtonProps) {
  const texts = useSearchTexts();
  const [isOpen, setOpen] = useState(false);
  const hasScript = useHasScript();
  const button = useRef<HTMLButtonElement>(null);
  useShortcuts(shortcuts, setOpen);
  const typed = useTyped(isOpen);

  const face = (
    <>
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M13 13l5 5M8.5 15a6.5 6.5 0 1 0 0-13a6.5 6.5 0 0 0 0 13z" />
      </svg>
      <span className={wide ? undefined : 'visually-hidden'}>{texts.button}</span>
    </>
  );
  if (!hasScript) {
    return (
      <Link className={wide ? styles.wide : styles.button} to={texts.fallback}>
        {face}
      </Link>
    );
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={wide ? styles.wide : styles.button}
        aria-haspopup="dialog"
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setOpen(true)}
      >
        {face}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <SearchDialog texts={texts} typed={typed} opener={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function useShortcuts(isActive: boolean, setOpen: (isOpen: boolean) => void) {
  useEffect(() => {
    if (!isActive) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isCommand = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !isTyping(event.target);
      if (!isCommand && !isSlash) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isActive, setOpen]);
}

/**
 * Keeps what the reader types between the shortcut and the dialog. The dialog takes it when its field has the focus, and
 * sets the reference to undefined.
 */
function useTyped(isOpen: boolean): RefObject<string | undefined> {
  const typed = useRef<string>(undefined);
  useEffect(() => {
    if (!isOpen) return;
    typed.current = '';
    const onKeyDown = (event: KeyboardEvent) => {
      const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (typed.current === undefined || !isText) return;
      event.preventDefault();
      typed.current += event.key;
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [isOpen]);
  return typed;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:input|select|textarea)$/i.test(target.tagName));
