import { Link } from 'gatsby';
import { ExactTime } from '../../parts/exact-time';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { formatMs } from '../../parts/quantities';
import { Table } from '../../parts/table';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';
import { entryParameter } from '../requests/request-panel';
import { RequestStatus } from '../requests/request-table';
import * as styles from './home.module.css';
import { refreshMs } from './last-day';

const limit = 6;

export function LatestRequests() {
  const { texts, account } = useAccount();
  const { latest } = texts.home;
  const list = useData(
    '/accounts/{account}/requests',
    { path: { account: account.accountId }, query: { limit } },
    { refetchInterval: refreshMs },
  );
  return (
    <Block title={latest.title} actions={<Link to="/console/requests">{latest.action}</Link>}>
      <Loaded query={list}>
        {({ requests }) =>
          requests.length === 0 ? (
            <p>{latest.none}</p>
          ) : (
            <div className={styles.latest}>
              <Table label={latest.title} columns={[latest.request, latest.status, latest.time, latest.ms]}>
                {requests.map((request) => (
                  <tr key={request.entryId}>
                    <th scope="row">
                      <Link
                        className={styles.request}
                        to={`/console/requests?${entryParameter}=${request.entryId}`}
                      >
                        <code>
                          {request.method} {request.path}
                        </code>
                      </Link>
                    </th>
                    <td>
                      <RequestStatus request={request} />
                    </td>
                    <td>
                      <ExactTime at={request.at} />
                    </td>
                    <td>{formatMs(request.ms)}</td>
                  </tr>
                ))}
              </Table>
            </div>
          )
        }
      </Loaded>
    </Block>
  );
}
