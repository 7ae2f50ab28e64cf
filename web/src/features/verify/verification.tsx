/**
 * The page asks for consent, opens the camera, follows the gateway's steps and shows the outcome.
 *
 * The button Leave cancels a session. The event pagehide does not reveal whether the page is closed,
 * reloaded or left by the back button, and a cancellation is final. So the page only notifies the gateway
 * that it leaves, which cancels the session unless the page is back within seconds. Phones end background pages
 * without any event: then the session expires a few minutes later.
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
  const { state, video, link, dispatch } = useVerification(words.consent.notice);
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
          <button className={styles.leave} type="button" onClick={() => dispatch({ type: 'leaveAsked' })}>
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
          <ConsentScreen session={session} asker={asker} duration={duration} dispatch={dispatch} />
        ) : usesCamera(view) ? (
          <CaptureScreen view={view} video={video} trouble={trouble} />
        ) : (
          <MessageScreen view={view} session={session} link={link} asker={asker} dispatch={dispatch} />
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
        <BrandMark />
        {brand}
      </>
    );
  }
  return (
    <>
      {branding.logoUrl && (
        // If the image fails to load, the name remains.
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

/**
 * Overrides the site's colors with the account's. The content security policy forbids style attributes, but not this.
 */
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
