import { useAccount } from '../../state/context';
import * as styles from './home.module.css';
import { LastDay } from './last-day';
import { LatestRequests } from './latest-requests';
import { Links } from './links';
import { Month } from './month';

/** The month, the last day and the latest requests. */
export function Overview() {
  const { may, settings } = useAccount();
  // Without a log, the service counts no requests.
  const hasLog = settings.requestLogDays > 0;
  return (
    <>
      <div className={styles.columns}>
        <Month />
        {hasLog && may('requestsCount') && <LastDay />}
      </div>
      {hasLog && may('requestsList') && <LatestRequests />}
      <Links />
    </>
  );
}
