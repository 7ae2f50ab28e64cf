/** The frame of every page: brand, account, navigation and the person who is signed in. */
import { Link } from 'gatsby';
import Menu from 'lucide-react/dist/esm/icons/menu.mjs';
import { type ReactNode, useState } from 'react';
import { BrandMark } from '../../../components/ui/brand-mark';
import { useSite } from '../../../components/use-site';
import { mayOpen, pages } from '../pages/routes';
import { Failure } from '../parts/message';
import { dataOf } from '../state/api';
import { useConsole } from '../state/context';
import { useAction } from '../state/queries';
import * as styles from './frame.module.css';

export function Frame({ children }: { children: ReactNode }) {
  const { texts, profile } = useConsole();
  return (
    <div className={styles.frame} data-signed-in={profile !== undefined}>
      <a className={styles.skip} href="#content">
        {texts.shell.skip}
      </a>
      <Top />
      {profile && <Navigation />}
      <main id="content" className={styles.main}>
        {children}
      </main>
    </div>
  );
}

function Top() {
  const { brand, homeLink } = useSite();
  const { texts, profile, api, refresh } = useConsole();
  const { signOut, site, pages: names } = texts.shell;
  const leave = useAction(async () => {
    await dataOf(api.POST('/sign-out'));
    await refresh();
  });
  return (
    <header className={styles.top}>
      <Link className={styles.brand} to="/" aria-label={homeLink}>
        <BrandMark />
        {brand}
      </Link>
      <div className={styles.tools}>
        <Link to="/docs">{site}</Link>
        {profile && <Link to="/console/profile">{names.profile}</Link>}
        {profile && (
          <button type="button" onClick={() => leave.run()}>
            {signOut}
          </button>
        )}
      </div>
      <Failure error={leave.error} />
    </header>
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
        <Menu aria-hidden size={20} strokeWidth={1.5} />
        {menu}
      </button>
      <ul className={styles.links}>
        {listed.map(
          ({ path, name }) =>
            name && (
              <li key={path}>
                <Link
                  to={`/console/${path.replace(/\/?\*?$/, '')}`.replace(/\/$/, '')}
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
