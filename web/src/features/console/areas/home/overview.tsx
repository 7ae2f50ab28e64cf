import { Link } from 'gatsby';
import { formatCount } from '../../../../components/pricing/money';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { Table } from '../../parts/table';
import { groups } from '../../state/account-data';
import { useAccount } from '../../state/context';
import { useData } from '../../state/use-call';
import type { Usage } from '../usage/usage-data';
import * as styles from './home.module.css';

/** The usage of this month with live keys, and the pages that follow. */
export function Overview() {
  const { words, account } = useAccount();
  const { usage: own, links } = words.home;
  const usage = useData<Usage>(`/accounts/${account.accountId}/usage`);
  return (
    <>
      <Block title={own.title} actions={<Link to="/console/usage">{own.action}</Link>}>
        <Loaded of={usage}>
          {({ productGroups }) => (
            <Table label={own.title} columns={[own.group, own.used, own.quota]}>
              {groups.map((group) => (
                <tr key={group}>
                  <th scope="row">{own.groups[group]}</th>
                  <td>{formatCount(productGroups[group].used)}</td>
                  <td>{formatCount(productGroups[group].quota)}</td>
                </tr>
              ))}
            </Table>
          )}
        </Loaded>
      </Block>
      <Block title={links.title}>
        <ul className={styles.links}>
          {links.list.map(({ label, to }) => (
            <li key={to}>
              <a href={to}>{label}</a>
            </li>
          ))}
        </ul>
      </Block>
    </>
  );
}
