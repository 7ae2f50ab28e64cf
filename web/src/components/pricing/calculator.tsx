/** The cost of a month on each plan. Without JavaScript it shows an example. */
import { useState } from 'react';
import { fill } from '../../fill';
import { useHasScript } from '../../use-has-script';
import { DataTable } from '../ui/data-table';
import { Headings } from '../ui/headings';
import * as styles from './calculator.module.css';
import { cheapestOf, monthlyCost } from './cost';
import { formatCount, formatMoney } from './money';
import type { Plan, PricingTexts } from './plan';

/** More than any plan's quota, but short enough for the columns. */
const MOST = 10_000_000;

interface CalculatorProps {
  plans: readonly Plan[];
  texts: PricingTexts['calculator'];
}

export function Calculator({ plans, texts }: CalculatorProps) {
  const [livenessDetection, setLiveness] = useState(texts.exampleLiveness);
  const [imageAnalysis, setAnalyses] = useState(texts.exampleAnalyses);
  const costs = plans.map((plan) => monthlyCost(plan, { livenessDetection, imageAnalysis }));
  const cheapest = cheapestOf(costs);
  const caption = fill(texts.caption, {
    liveness: formatCount(livenessDetection),
    analyses: formatCount(imageAnalysis),
  });
  return (
    <div className={styles.calculator}>
      <div className={styles.inputs}>
        <Count id="liveness-count" label={texts.liveness} value={livenessDetection} onChange={setLiveness} />
        <Count id="analysis-count" label={texts.analyses} value={imageAnalysis} onChange={setAnalyses} />
      </div>
      <div className={styles.costs} aria-live="polite" data-source="contract">
        <DataTable label={caption} caption={caption}>
          <Headings labels={[texts.plan, texts.base, texts.overage, texts.total]} />
          <tbody>
            {plans.map(({ tier, displayName, pricing: { currency } }, position) => {
              const cost = costs[position];
              const isCheapest = cheapest.includes(position);
              return (
                <tr key={tier} data-cheapest={isCheapest}>
                  <th scope="row">
                    {displayName}
                    {isCheapest && <span className={styles.cheapest}>{texts.cheapest}</span>}
                  </th>
                  {cost?.kind === 'priced' ? (
                    [cost.base, cost.overage, cost.total].map((amount, column) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: the columns are static.
                      <td key={column}>{formatMoney(amount, currency)}</td>
                    ))
                  ) : (
                    <td colSpan={3} className={styles.none}>
                      {cost?.kind === 'tooSmall' ? texts.tooSmall : texts.byAgreement}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </DataTable>
      </div>
    </div>
  );
}

interface CountProps {
  id: string;
  label: string;
  value: number;
  onChange(value: number): void;
}

/** An input for whole numbers, disabled until React handles it. */
function Count({ id, label, value, onChange }: CountProps) {
  const [text, setText] = useState(String(value));
  const ready = useHasScript();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="number"
        inputMode="numeric"
        min={0}
        max={MOST}
        step={1}
        disabled={!ready}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          onChange(Math.min(MOST, Math.max(0, Math.floor(Number(target.value) || 0))));
        }}
      />
    </div>
  );
}
