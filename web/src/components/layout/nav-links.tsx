import { Link } from 'gatsby';
import type { Link as NavLink } from '../use-site';

/** The links of the header. The link to the current page or section is marked. */
export function NavLinks({ links, onFollow }: { links: readonly NavLink[]; onFollow: () => void }) {
  return links.map(({ label, to }) => (
    <li key={to}>
      <Link to={to} getProps={markCurrent} onClick={onFollow}>
        {label}
      </Link>
    </li>
  ));
}

/** Every path starts with that of the home page, so that a partial match means nothing there. */
const markCurrent = ({
  isCurrent,
  isPartiallyCurrent,
  href,
}: {
  isCurrent: boolean;
  isPartiallyCurrent: boolean;
  href: string;
}) => ({
  'aria-current': isCurrent ? 'page' : isPartiallyCurrent && href !== '/' ? 'true' : undefined,
});
