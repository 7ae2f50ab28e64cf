import { type GatsbyLinkProps, Link } from 'gatsby';
import Menu from 'lucide-react/dist/esm/icons/menu.mjs';
import X from 'lucide-react/dist/esm/icons/x.mjs';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { SignUpButton } from '../components/sign-up/sign-up-button';
import { BrandMark } from '../components/ui/brand-mark';
import { useSite } from '../components/use-site';
import { SearchButton } from '../features/search/search-button';
import * as styles from './header.module.css';

/** Scroll offset in pixels above which the header is translucent. */
const TRANSLUCENT_AFTER_PX = 50;

export function Header() {
  const { brand, homeLink, navigation } = useSite();
  const scrolled = useScrolledPast(TRANSLUCENT_AFTER_PX);
  const button = useRef<HTMLButtonElement>(null);
  const header = useRef<HTMLElement>(null);
  const menu = useMenu(header, button);
  const { label, links, menu: texts, signUp } = navigation;
  const ways = (
    <>
      <ConsoleLink />
      <SignUpButton plan={signUp.plan}>{signUp.label}</SignUpButton>
    </>
  );
  const Icon = menu.isOpen ? X : Menu;
  return (
    <header ref={header} className={styles.header} data-scrolled={scrolled} data-menu={menu.isOpen}>
      <div className={styles.inner}>
        <Link className={styles.brand} to="/" aria-label={homeLink}>
          <BrandMark />
          {brand}
        </Link>
        <nav id="menu" className={styles.nav} aria-label={label}>
          <ul className={styles.links}>
            {links.map(({ label: text, to }) => (
              <li key={to}>
                <Link to={to} getProps={markCurrent} onClick={menu.close}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
          <div className={styles.menuWays}>{ways}</div>
        </nav>
        <div className={styles.tools}>
          <div>
            <SearchButton shortcuts />
          </div>
          <div className={styles.ways}>{ways}</div>
          <button
            ref={button}
            className={styles.toggle}
            type="button"
            aria-label={menu.isOpen ? texts.close : texts.open}
            aria-expanded={menu.isOpen}
            aria-controls="menu"
            onClick={menu.toggle}
          >
            <Icon aria-hidden size={22} strokeWidth={1.5} />
          </button>
        </div>
      </div>
    </header>
  );
}

/** The way into the console. The style sheet shows the label for this visitor before React starts, so nothing moves. */
function ConsoleLink() {
  const { console, navigation } = useSite();
  return (
    <a className={styles.console} href={console.home}>
      <span data-for="guest">{navigation.console.guest}</span>
      <span data-for="member">{navigation.console.member}</span>
    </a>
  );
}

/** Whether the page is scrolled by more than `pixels`; false in the built HTML. */
const useScrolledPast = (pixels: number) =>
  useSyncExternalStore(
    subscribeToScroll,
    () => window.scrollY > pixels,
    () => false,
  );

function subscribeToScroll(onChange: () => void) {
  window.addEventListener('scroll', onChange, { passive: true });
  return () => window.removeEventListener('scroll', onChange);
}

/** Marks the link to the current page or section. Every path starts with that of the home page, which has no sections. */
const markCurrent = ({
  isCurrent,
  isPartiallyCurrent,
  href,
}: Parameters<NonNullable<GatsbyLinkProps<unknown>['getProps']>>[0]) => ({
  'aria-current': isCurrent ? 'page' : isPartiallyCurrent && href !== '/' ? 'true' : undefined,
});

/**
 * The state of a menu that a button opens and closes. It also closes when the visitor follows a link or goes back,
 * uses something outside of it, or presses Escape, which returns the focus to the button.
 * @param container holds the button and the menu
 */
function useMenu(container: RefObject<HTMLElement | null>, button: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);

  useEffect(() => {
    if (!isOpen) return;
    const closeOn: Record<string, (event: Event) => unknown> = {
      keydown: (event) => (event as KeyboardEvent).key === 'Escape',
      focusin: ({ target }) => !container.current?.contains(target as Node),
      pointerdown: ({ target }) => !container.current?.contains(target as Node),
      popstate: () => true,
    };
    const onEvent = (event: Event) => {
      if (!closeOn[event.type]?.(event)) return;
      setOpen(false);
      if (event.type === 'keydown') button.current?.focus();
    };
    // Events of the document reach the window.
    for (const type of Object.keys(closeOn)) window.addEventListener(type, onEvent);
    return () => {
      for (const type of Object.keys(closeOn)) window.removeEventListener(type, onEvent);
    };
  }, [isOpen, container, button]);

  return { isOpen, close, toggle: () => setOpen(!isOpen) };
}
