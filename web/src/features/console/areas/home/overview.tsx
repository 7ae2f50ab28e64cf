import { Link } from 'gatsby';
import { DataTable } from '../../../../components/ui/data-table';
import { Headings } from '../../../../components/ui/headings';
import { useAccount } from '../../context';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { useData } from '../../use-call';

interface Usage {
  readonly productGroups: Readonly<Record<Group, { readonly used: number; readonly quota: number }>>;
}
type Group = 'livenessDetection' | 'imageAnalysis';

const groups: readonly Group[] = ['livenessDetection', 'imageAnalysis'];
const format = (units: number) => new Intl.NumberFormat('en').format(units);

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
            <DataTable label={own.title}>
              <Headings words={[own.group, own.used, own.quota]} />
              <tbody>
                {groups.map((group) => (
                  <tr key={group}>
                    <th scope="row">{own.groups[group]}</th>
                    <td>{format(productGroups[group].used)}</td>
                    <td>{format(productGroups[group].quota)}</td>
                  </tr>
                ))}
              </tbody>
            </DataTable>
          )}
        </Loaded>
      </Block>
      <Block title={links.title}>
        <ul>
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
