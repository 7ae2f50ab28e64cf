import { Link } from 'gatsby';
import { useSite } from '../use-site';
import { BrandMark } from './brand-mark';
import * as styles from './header.module.css';
import { useScrolledPast } from './use-scrolled-past';

/** Below this the header lies on the page; beyond it the page shines through. */
const TRANSLUCENT_AFTER_PX = 50;

export function Header() {
  const { brand, homeLink, navigation } = useSite();
  const scrolled = useScrolledPast(TRANSLUCENT_AFTER_PX);
  return (
    <header className={styles.header} data-scrolled={scrolled}>
      <div className={styles.inner}>
        <Link className={styles.brand} to="/" aria-label={homeLink}>
          <BrandMark className={styles.mark} />
          {brand}
        </Link>
        <nav aria-label={navigation.label}>
          <ul className={styles.links}>
            {navigation.links.map(({ label, to }) => (
              <li key={to}>
                <Link to={to}>{label}</Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </header>
  );
}
