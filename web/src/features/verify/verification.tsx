/**
 * The page: it asks for consent, opens the camera, follows the gateway's steps and says how it ended.
 *
 * Leaving. The button Leave cancels a session. A page that is closed, loaded anew or left by the back button cannot tell
 * which of these it is: pagehide comes for all of them alike, and a cancellation is final. So it only tells the gateway
 * that it goes, which cancels the session unless the page is there again within seconds. Phones end pages in the
 * background without any event: then the session expires a few minutes later.
 */
import { useEffect } from 'react';
import { BrandMark } from '../../components/layout/brand-mark';
import { fill } from '../../fill';
import { paletteOf } from './branding';
import { CaptureScreen } from './capture-screen';
import { ConsentScreen } from './consent-screen';
import { mayLeave, usesCamera } from './machine';
import { MessageScreen } from './message-screen';
import { useVerification } from './use-verification';
import * as styles from './verification.module.css';
import type { Branding } from './wire';
import { textOf, useWords } from './words';

interface VerificationProps {
  brand: string;
  duration: { from: number; to: number };
}

export function Verification({ brand, duration }: VerificationProps) {
  const words = useWords();
  const { state, video, link, tell } = useVerification(words.consent.notice);
  const { view, session, trouble } = state;
  const branding = session?.branding;
  const asker = branding?.name ?? words.sender;
  usePalette(branding?.colors);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <p className={styles.brand}>
          <Logo brand={brand} branding={branding} />
        </p>
        {mayLeave(view) && (
          <button className={styles.leave} type="button" onClick={() => tell({ type: 'leaveAsked' })}>
            {words.leave}
          </button>
        )}
      </header>
      <main id="content" className={styles.main}>
        <noscript>
          <h2 className={styles.noScript}>{words.noScript.heading}</h2>
          <p>{words.noScript.text}</p>
        </noscript>
        <p className={styles.trouble} role="alert">
          {trouble && !usesCamera(view) && textOf(words.trouble, trouble)}
        </p>
        {view.at === 'consent' && session ? (
          <ConsentScreen session={session} asker={asker} duration={duration} tell={tell} />
        ) : usesCamera(view) ? (
          <CaptureScreen view={view} video={video} trouble={trouble} />
        ) : (
          <MessageScreen view={view} session={session} link={link} asker={asker} tell={tell} />
        )}
      </main>
      {branding && <footer className={styles.footer}>{fill(words.checkBy, { brand })}</footer>}
    </div>
  );
}

function Logo({ brand, branding }: { brand: string; branding: Branding | undefined }) {
  if (!branding) {
    return (
      <>
        <BrandMark className={styles.mark} />
        {brand}
      </>
    );
  }
  return (
    <>
      {branding.logoUrl && (
        // A picture that does not load leaves the name, which says the same.
        <img
          className={styles.logo}
          src={branding.logoUrl}
          alt=""
          referrerPolicy="no-referrer"
          onError={({ currentTarget }) => currentTarget.remove()}
        />
      )}
      {branding.name}
    </>
  );
}

/** Puts an account's colours over the site's. The policy of the page forbids style attributes, but not this. */
function usePalette(colors: Branding['colors']) {
  useEffect(() => {
    const { style } = document.documentElement;
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    let set: string[] = [];
    const clear = () => {
      for (const name of set) style.removeProperty(name);
    };
    const apply = () => {
      clear();
      const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
      const palette = Object.entries(paletteOf(colors, paper));
      for (const [name, value] of palette) style.setProperty(name, value);
      set = palette.map(([name]) => name);
    };
    apply();
    dark.addListener(apply);
    return () => {
      dark.removeListener(apply);
      clear();
    };
  }, [colors]);
}
