/** The frame of every page: brand, command menu, account, navigation and the person who is signed in. */
import { Link } from 'gatsby';
import MenuIcon from 'lucide-react/dist/esm/icons/menu.mjs';
import Search from 'lucide-react/dist/esm/icons/search.mjs';
import { type ReactNode, useEffect, useState } from 'react';
import { BrandMark } from '../../../components/ui/brand-mark';
import { useSite } from '../../../components/use-site';
import { addressOf, mayOpen, pages } from '../pages/routes';
import { Failure } from '../parts/message';
import { dataOf } from '../state/api';
import { useConsole } from '../state/context';
import { usePrompts } from '../state/prompts';
import { useAction } from '../state/queries';
import { AccountButton } from './account-button';
import * as styles from './frame.module.css';
import { type Overlays, useOverlays } from './use-overlays';

export function Frame({ children }: { children: ReactNode }) {
  const { texts, profile } = useConsole();
  const { isAsking } = usePrompts();
  const [overlays, load] = useOverlays(profile !== undefined);
  return (
    <div className={styles.frame} data-signed-in={profile !== undefined}>
      <a className={styles.skip} href="#content">
        {texts.shell.skip}
      </a>
      <Top overlays={overlays} onNeed={load} />
      {profile && <Navigation />}
      <main id="content" className={styles.main}>
        {children}
      </main>
      {overlays && <overlays.Notices />}
      {overlays && profile && isAsking && <overlays.IdentityDialog profile={profile} />}
      <Asking isReady={overlays !== undefined} onNeed={load} />
    </div>
  );
}

/** Loads the dialogs for a question that came before they were there. Without anybody signed in, the question ends. */
function Asking({ isReady, onNeed }: { isReady: boolean; onNeed(): void }) {
  const { profile } = useConsole();
  const { isAsking, conclude, notices } = usePrompts();
  const isNeeded = isAsking || notices.length > 0;
  useEffect(() => {
    if (isNeeded && !isReady) onNeed();
  }, [isNeeded, isReady, onNeed]);
  useEffect(() => {
    if (isAsking && !profile) conclude(false);
  }, [isAsking, profile, conclude]);
  return null;
}

interface TopProps {
  /** Undefined until their script is there. */
  overlays: Overlays | undefined;
  /** Loads that script. */
  onNeed(): void;
}

function Top({ overlays, onNeed }: TopProps) {
  const { brand, homeLink } = useSite();
  const { texts, profile, api, refresh } = useConsole();
  const { site } = texts.shell;
  const leave = useAction(async () => {
    await dataOf(api.POST('/sign-out'));
    await refresh();
  });
  return (
    <header className={styles.top}>
      <Link className={styles.brand} to="/" aria-label={homeLink}>
        <BrandMark />
        <span>{brand}</span>
      </Link>
      <div className={styles.tools}>
        {profile && <Commands overlays={overlays} onNeed={onNeed} onSignOut={() => leave.run()} />}
        <Link className={styles.docs} to="/docs">
          {site}
        </Link>
        {profile && (
          <AccountTool
            overlays={overlays}
            onNeed={onNeed}
            email={profile.email}
            onSignOut={() => leave.run()}
          />
        )}
      </div>
      <Failure error={leave.error} />
    </header>
  );
}

const isMac = () => /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The button of the command menu, which Ctrl+K opens as well, or Cmd+K on a Mac. */
function Commands({ overlays, onNeed, onSignOut }: TopProps & { onSignOut(): void }) {
  const { open, shortcut, shortcutOfMac } = useConsole().texts.shell.commands;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // The key before the letter gives the script a head start.
      if (event.key === 'Control' || event.key === 'Meta') onNeed();
      // Ctrl+K deletes to the end of a line on a Mac.
      const isHeld = isMac() ? event.metaKey : event.ctrlKey;
      const isShortcut = isHeld && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';
      if (!isShortcut) return;
      event.preventDefault();
      onNeed();
      // A dialog may hold a form with typed text, or a secret that it shows once.
      if (!document.querySelector('[role="dialog"]')) setOpen(true);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [onNeed]);
  return (
    <>
      <button
        type="button"
        className={styles.commands}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onPointerEnter={onNeed}
        onFocus={onNeed}
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden size={16} strokeWidth={1.75} />
        <span className={styles.commandsLabel}>{open}</span>
        <span className={styles.keys} aria-hidden="true">
          {isMac() ? shortcutOfMac : shortcut}
        </span>
      </button>
      {isOpen && overlays && <overlays.CommandMenu onSignOut={onSignOut} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The account menu. Until its script is there, a button takes its place. */
function AccountTool({
  overlays,
  onNeed,
  email,
  onSignOut,
}: TopProps & { email: string; onSignOut(): void }) {
  const [isFocused, setFocused] = useState(false);
  const [isWanted, setWanted] = useState(false);
  if (overlays) {
    return <overlays.AccountMenu hadFocus={isFocused} defaultOpen={isWanted} onSignOut={onSignOut} />;
  }
  return (
    <AccountButton
      email={email}
      onFocus={() => {
        setFocused(true);
        onNeed();
      }}
      onBlur={() => setFocused(false)}
      onPointerEnter={onNeed}
      onClick={() => {
        setWanted(true);
        onNeed();
      }}
    />
  );
}

function Navigation() {
  const state = useConsole();
  const { texts, profile, account, chooseAccount } = state;
  const { navigation, account: accountLabel, menu, pages: names } = texts.shell;
  const [isOpen, setOpen] = useState(false);
  const accounts = profile?.accounts ?? [];
  const listed = pages.filter(({ name, audience }) => name && mayOpen(audience, state));
  return (
    <nav className={styles.navigation} aria-label={navigation} data-open={isOpen}>
      {accounts.length > 1 ? (
        <label className={styles.account}>
          <span>{accountLabel}</span>
          <select
            value={account?.accountId}
            onChange={({ currentTarget }) => chooseAccount(currentTarget.value)}
          >
            {accounts.map(({ accountId, name }) => (
              <option key={accountId} value={accountId}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        account && <p className={styles.account}>{account.name}</p>
      )}
      <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <MenuIcon aria-hidden size={20} strokeWidth={1.5} />
        {menu}
      </button>
      <ul className={styles.links}>
        {listed.map(
          ({ path, name }) =>
            name && (
              <li key={path}>
                <Link
                  to={addressOf(path)}
                  activeClassName={styles.current as string}
                  partiallyActive={path !== '/'}
                  onClick={() => setOpen(false)}
                >
                  {names[name]}
                </Link>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}
