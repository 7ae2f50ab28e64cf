import type { Forecast, GroupUsage, ProductGroup } from '@presenza/contract/console/types.d.ts';
import { formatMoney } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { useConsole } from '../../state/context';
import * as styles from './usage.module.css';

/** The bar ends here, in percent of the quota, so that its marks stay in their places. */
const widest = 125;

interface QuotaMeterProps {
  group: ProductGroup;
  usage: GroupUsage;
  forecast: Forecast | undefined;
  currency: string;
  /** The last day of the month. */
  end: string;
}

/** Percent of a quota at which the service alerts. */
const thresholds = [80, 100] as const;

/** Units of a group against its quota: a bar with marks at the thresholds, and the same in words. */
export function QuotaMeter({ group, usage, forecast, currency, end }: QuotaMeterProps) {
  const { groups, meter } = useConsole().texts.usage;
  const { quota, used, reserved, remaining, overageUnits, overageCost } = usage;
  const percentOf = (units: number) => (quota === 0 ? 0 : (100 * units) / quota);
  const sentences = [
    fill(meter.used, { used, quota, percent: Math.floor(percentOf(used)) }),
    overageUnits > 0
      ? fill(meter.overage, { units: overageUnits, cost: formatMoney(overageCost, currency) })
      : fill(meter.remaining, { remaining }),
    reserved > 0 && fill(meter.reserved, { reserved }),
  ].filter(Boolean);
  return (
    <div className={styles.meter}>
      <h3>{groups[group]}</h3>
      <p>{sentences.join(' ')}</p>
      <svg
        className={styles.bar}
        viewBox={`0 0 ${widest} 10`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${groups[group]}: ${sentences[0]}`}
      >
        <rect className={styles.track} width={widest} height="10" />
        {forecast && <rect className={styles.expected} width={cut(percentOf(forecast.units))} height="10" />}
        <rect className={styles.within} width={Math.min(100, percentOf(used))} height="10" />
        <rect className={styles.over} x="100" width={Math.max(0, cut(percentOf(used)) - 100)} height="10" />
        {thresholds.map((percent) => (
          <line key={percent} className={styles.mark} x1={percent} x2={percent} y2="10" />
        ))}
      </svg>
      <p className={styles.marks} aria-hidden>
        {thresholds.map((percent) => (
          <span key={percent}>{fill(meter.threshold, { percent })}</span>
        ))}
      </p>
      {forecast && (
        <p>
          {fill(forecast.share === null ? meter.forecast : meter.forecastShare, {
            end,
            units: forecast.units,
            percent: Math.round(100 * (forecast.share ?? 0)),
          })}
          {forecast.overageCost > 0 &&
            ` ${fill(meter.forecastCost, { cost: formatMoney(forecast.overageCost, currency) })}`}
        </p>
      )}
    </div>
  );
}

const cut = (percent: number) => Math.min(widest, percent);
