import { ThemePicker } from '../../features/theme/theme-picker';
import { useSite } from '../use-site';
import * as styles from './footer.module.css';

export function Footer() {
  const { copyright, tagline } = useSite();
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>
          {copyright} <span className={styles.tagline}>{tagline}</span>
        </p>
        <ThemePicker />
      </div>
    </footer>
  );
}
