import type { HourOfRequests } from '@presenza/contract/console/types.d.ts';
import { Link } from 'gatsby';
import { formatCount } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { ColumnChart, totalsOf } from '../../parts/column-chart';
import { Loaded } from '../../parts/loaded';
import { Block } from '../../parts/page';
import { formatShare } from '../../parts/quantities';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';
import * as styles from './home.module.css';

/** How often the page reads again what the service has just done. */
export const refreshMs = 15_000;

/** With minutes, because hours of UTC begin at half past in some zones. */
const hourName = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

const sumOf = (hours: readonly HourOfRequests[], name: 'succeeded' | 'refused' | 'failed') =>
  hours.reduce((sum, hour) => sum + hour[name], 0);

/** Successful and failed requests of the last 24 hours. */
export function LastDay() {
  const { texts, account } = useAccount();
  const { day } = texts.home;
  const counts = useData(
    '/accounts/{account}/request-counts',
    { path: { account: account.accountId } },
    { refetchInterval: refreshMs },
  );
  return (
    <Block title={day.title} actions={<Link to="/console/requests">{day.action}</Link>}>
      <Loaded query={counts}>{({ hours }) => <Counts hours={hours} />}</Loaded>
    </Block>
  );
}

function Counts({ hours }: { hours: readonly HourOfRequests[] }) {
  const { day } = useAccount().texts.home;
  const succeeded = sumOf(hours, 'succeeded');
  const refused = sumOf(hours, 'refused');
  const failed = sumOf(hours, 'failed');
  const total = succeeded + refused + failed;
  if (total === 0) return <p>{day.none}</p>;
  const names = hours.map(({ from }) => hourName.format(new Date(from)));
  const series = [
    { label: day.series.succeeded, values: hours.map((hour) => hour.succeeded) },
    { label: day.series.refused, values: hours.map((hour) => hour.refused), tone: 'muted' },
    { label: day.series.failed, values: hours.map((hour) => hour.failed), tone: 'danger' },
  ] as const;
  const totals = totalsOf(series, hours.length);
  const highest = Math.max(...totals);
  return (
    <>
      <dl className={styles.figures}>
        <Figure label={day.requests} value={formatCount(total)} to="range=day" />
        <Figure
          label={day.rate}
          value={fill(day.percent, { share: formatShare(succeeded, total) })}
          to="range=day&status=passed"
        />
        <Figure label={day.refused} value={formatCount(refused)} to="range=day&status=4xx" />
        <Figure label={day.failed} value={formatCount(failed)} to="range=day&status=5xx" />
      </dl>
      <div className={styles.tall}>
        <ColumnChart
          label={day.chart}
          summary={fill(day.summary, { hour: names[totals.indexOf(highest)] ?? '', count: highest })}
          series={series}
          names={names}
          labelOfScale={(units) => fill(day.scale, { units })}
        />
      </div>
      <p className={styles.note}>{day.note}</p>
    </>
  );
}

/** A number that leads to its requests. */
const Figure = ({ label, value, to }: { label: string; value: string; to: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>
      <Link className={styles.figure} to={`/console/requests?${to}`}>
        {value}
      </Link>
    </dd>
  </div>
);
