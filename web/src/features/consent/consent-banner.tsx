import { Link } from 'gatsby';
import { useRef } from 'react';
import { Button } from '../../components/ui/button';
import { browserConsent } from './browser-consent';
import { chooseAll, chooseNecessary } from './choose';
import * as styles from './consent-banner.module.css';
import { useOpenPreferences } from './preferences';
import { useConsent } from './use-consent';
import { useConsentWords } from './use-consent-words';
import { useRoomBelow } from './use-room-below';

/**
 * Asks visitors without a valid choice. Without JavaScript nothing optional happens, so that the banner is not needed.
 */
export function ConsentBanner() {
  return useConsent() === null && <Banner />;
}

function Banner() {
  const { banner, necessaryOnly, signal } = useConsentWords();
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
          <Button look="secondary" onClick={chooseNecessary}>
            {necessaryOnly}
          </Button>
          <Button look="secondary" onClick={chooseAll}>
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
