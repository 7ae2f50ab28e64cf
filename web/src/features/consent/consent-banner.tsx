import { Link } from 'gatsby';
import { type RefObject, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { Button } from '../../components/ui/button';
import { browserConsent, chooseAll, chooseNecessary } from '../../consent/browser-consent';
import type { Consent } from '../../consent/consent';
import * as styles from './consent-banner.module.css';
import { useOpenPreferences } from './preferences';
import { useConsentTexts } from './use-consent-texts';

/**
 * Asks visitors without a valid choice. Without JavaScript nothing optional happens, so that the banner is not needed.
 */
export function ConsentBanner() {
  return useConsent() === null && <Banner />;
}

function Banner() {
  const { banner, necessaryOnly, signal } = useConsentTexts();
  const openPreferences = useOpenPreferences();
  const section = useRef<HTMLElement>(null);
  useRoomBelow(section);
  const optsOut = browserConsent.optsOut();
  return (
    <section ref={section} className={styles.banner} aria-label={banner.label}>
      <div className={styles.inner}>
        <p className={styles.text}>
          {optsOut ? signal : banner.text}{' '}
          {banner.policies.map(({ label, to }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </p>
        <div className={styles.actions}>
          <Button variant="secondary" onClick={chooseNecessary}>
            {necessaryOnly}
          </Button>
          <Button variant="secondary" onClick={chooseAll}>
            {banner.acceptAll}
          </Button>
          <button className={styles.preferences} type="button" onClick={openPreferences}>
            {banner.preferences}
          </button>
        </div>
      </div>
    </section>
  );
}

/**
 * The visitor's valid consent; null if they must choose. It is undefined in the built HTML and until hydration,
 * so that visitors who have chosen never see the banner.
 */
const useConsent = (): Consent | null | undefined =>
  useSyncExternalStore(subscribe, browserConsent.current, () => undefined);

/** Visitors may have chosen in another tab. */
function subscribe(onChange: () => void) {
  const unsubscribe = browserConsent.subscribe(onChange);
  document.addEventListener('visibilitychange', onChange);
  return () => {
    unsubscribe();
    document.removeEventListener('visibilitychange', onChange);
  };
}

/** A custom property for the banner's style sheet. */
const PROPERTY = '--room-below';

/**
 * Reserves room below the page for an element fixed to the bottom of the window, and scrolls focused elements
 * clear of it. Visible content does not move.
 */
function useRoomBelow(element: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const measure = () => style.setProperty(PROPERTY, `${element.current?.offsetHeight ?? 0}px`);
    measure();
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('resize', measure);
      style.removeProperty(PROPERTY);
    };
  }, [element]);
}
