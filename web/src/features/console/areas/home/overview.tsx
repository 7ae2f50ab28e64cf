import { Link } from 'gatsby';
import { formatCount } from '../../../../components/pricing/money';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { Table } from '../../parts/table';
import { groups } from '../../state/account-data';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';
import * as styles from './home.module.css';

/** The usage of this month with live keys, and the pages that follow. */
export function Overview() {
  const { texts, account } = useAccount();
  const { usage: month, links } = texts.home;
  const usage = useData('/accounts/{account}/usage', { path: { account: account.accountId } });
  return (
    <>
      <Block title={month.title} actions={<Link to="/console/usage">{month.action}</Link>}>
        <Loaded query={usage}>
          {({ productGroups }) => (
            <Table label={month.title} columns={[month.group, month.used, month.quota]}>
              {groups.map((group) => (
                <tr key={group}>
                  <th scope="row">{month.groups[group]}</th>
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
