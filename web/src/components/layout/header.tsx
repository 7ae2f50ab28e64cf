import { type GatsbyLinkProps, Link } from 'gatsby';
import Menu from 'lucide-react/dist/esm/icons/menu.mjs';
import X from 'lucide-react/dist/esm/icons/x.mjs';
import { useRef, useSyncExternalStore } from 'react';
import { SearchButton } from '../../features/search/search-button';
import { SignUpButton } from '../../features/sign-up/sign-up-button';
import { useSite } from '../use-site';
import { BrandMark } from './brand-mark';
import * as styles from './header.module.css';
import { useMenu } from './use-menu';

/** Scroll offset in pixels above which the header is translucent. */
const TRANSLUCENT_AFTER_PX = 50;

export function Header() {
  const { brand, homeLink, navigation } = useSite();
  const scrolled = useScrolledPast(TRANSLUCENT_AFTER_PX);
  const button = useRef<HTMLButtonElement>(null);
  const header = useRef<HTMLElement>(null);
  const menu = useMenu(header, button);
  const { label, links, menu: words, signUp } = navigation;
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
          <div className={styles.signUp}>
            <SignUpButton plan={signUp.plan}>{signUp.label}</SignUpButton>
          </div>
        </nav>
        <div className={styles.tools}>
          <div>
            <SearchButton shortcuts />
          </div>
          <SignUpButton plan={signUp.plan}>{signUp.label}</SignUpButton>
          <button
            ref={button}
            className={styles.toggle}
            type="button"
            aria-label={menu.isOpen ? words.close : words.open}
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
