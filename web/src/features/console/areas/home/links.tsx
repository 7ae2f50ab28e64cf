import { Block } from '../../parts/page';
import { useAccount } from '../../state/context';
import * as styles from './home.module.css';

/** Pages of the documentation that come next. */
export function Links() {
  const { links } = useAccount().texts.home;
  return (
    <Block title={links.title}>
      <ul className={styles.links}>
        {links.list.map(({ label, to }) => (
          <li key={to}>
            <a href={to}>{label}</a>
          </li>
        ))}
      </ul>
    </Block>
  );
}
