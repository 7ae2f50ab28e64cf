/** The footer: all links, the owner, and the choice of colors. */
import { Link } from 'gatsby';
import type { ReactNode } from 'react';
import { type LinkGroup, useSite } from '../components/use-site';
import { useOpenPreferences } from '../features/consent/preferences';
import { ModeSwitch, ThemePicker } from '../features/theme/pickers';
import * as styles from './footer.module.css';

export function Footer() {
  const { footer, navigation } = useSite();
  const openPreferences = useOpenPreferences();
  // The last group is the legal one, to which the cookie button belongs.
  const [legal, ...groups] = [...navigation.footer].reverse();
  return (
    <footer className={styles.footer}>
      <nav className={styles.groups} aria-label={footer.label}>
        {groups.reverse().map((group) => (
          <Group key={group.label} {...group} />
        ))}
        {legal && (
          <Group {...legal}>
            <li>
              <button className={styles.cookies} type="button" onClick={openPreferences}>
                {footer.cookieSettings}
              </button>
            </li>
          </Group>
        )}
      </nav>
      <div className={styles.legend}>
        <p>
          <span>{footer.copyright}</span> <span>{footer.tagline}</span>
        </p>
        <ThemePicker />
        <ModeSwitch />
      </div>
    </footer>
  );
}

function Group({ label, links, children }: LinkGroup & { children?: ReactNode }) {
  return (
    <div className={styles.group}>
      <h2>{label}</h2>
      <ul className={styles.links}>
        {links.map((link) => (
          <li key={link.label}>
            <Link to={link.to}>{link.label}</Link>
          </li>
        ))}
        {children}
      </ul>
    </div>
  );
}
