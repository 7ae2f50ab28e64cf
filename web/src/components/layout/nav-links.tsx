import { Link } from 'gatsby';
import type { Link as NavLink } from '../use-site';

/** Links of the header; the one that leads to where the visitor is says so, as does that to the part it belongs to. */
export function NavLinks({ links, onFollow }: { links: readonly NavLink[]; onFollow: () => void }) {
  return links.map(({ label, to }) => (
    <li key={to}>
      <Link to={to} getProps={markCurrent} onClick={onFollow}>
        {label}
      </Link>
    </li>
  ));
}

/** Every page begins with the home page's address, and none belongs to it. */
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
