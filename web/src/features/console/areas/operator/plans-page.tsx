import { formatCount, formatMoney } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { Loaded } from '../../parts/loaded';
import { Table } from '../../parts/table';
import { groups } from '../../state/account-data';
import { useConsole } from '../../state/context';
import { useData } from '../../state/queries';
import { OperatorPage, type Routed } from './operator-page';

const bytesPerMiB = 2 ** 20;

/** The terms of each plan, which accounts have unless the operator sets others. */
export function PlansPage(_route: Routed) {
  const { plans: text, pages } = useConsole().texts.operator;
  const plans = useData('/operator/plans', {});
  return (
    <OperatorPage title={pages.plans}>
      <Loaded query={plans}>
        {(all) => (
          <Table
            label={pages.plans}
            columns={[
              text.plan,
              text.liveness,
              text.images,
              text.overage,
              text.burst,
              text.concurrency,
              text.memory,
            ]}
          >
            {all.map(({ plan, name, quota, overage, burst, concurrency, sessionBytes }) => (
              <tr key={plan}>
                <th scope="row">{name}</th>
                {groups.map((group) => (
                  <td key={group}>{formatCount(quota[group])}</td>
                ))}
                <td>
                  {overage === null
                    ? text.none
                    : groups.map((group) => formatMoney(overage[group], 'USD')).join(', ')}
                </td>
                <td>{fill(text.burstOf, { limit: burst.limit, seconds: burst.windowSeconds })}</td>
                <td>{formatCount(concurrency)}</td>
                <td>{fill(text.mebibytes, { count: Math.round(sessionBytes / bytesPerMiB) })}</td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
    </OperatorPage>
  );
}
