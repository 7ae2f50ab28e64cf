import type { Key } from '@presenza/contract/console/types.d.ts';
import { Button } from '../../../../components/ui/button';
import { Filter, Filters, Find } from '../../parts/filters';
import { Field, Form } from '../../parts/form';
import { useConsole } from '../../state/context';
import { playgroundKeyId, useContract } from './request-data';
import { type FilterName, type FilterValues, filterNames, localTime } from './request-filter';
import * as styles from './requests.module.css';

interface RequestFiltersProps {
  values: FilterValues;
  keys: readonly Key[];
  onChange(values: Partial<Record<FilterName, string>>): void;
}

export function RequestFilters({ values, keys, onChange }: RequestFiltersProps) {
  const { requests: texts } = useConsole().texts;
  const { filter } = texts;
  const { paths, statuses } = useContract();
  const isTimed = values.from !== '' || values.to !== '';
  const range = values.range || (isTimed ? 'custom' : 'week');
  const isFiltered = filterNames.some((name) => values[name] !== '');
  return (
    <div className={styles.filters}>
      <div className={styles.search}>
        <Find
          name="requestId"
          label={filter.requestId}
          action={filter.find}
          all={filter.all}
          value={values.requestId}
          onFind={(requestId) => onChange({ requestId })}
          maxLength={128}
          pattern="\s*[\w.:\-]*\s*"
          spellCheck={false}
        />
      </div>
      <div className={styles.choices}>
        <Filters>
          <Filter
            name="path"
            label={filter.path}
            value={values.path}
            onChoose={(path) => onChange({ path })}
            options={[['', filter.anyPath], ...paths.map((path) => [path, path] as const)]}
          />
          <Filter
            name="status"
            label={filter.status}
            value={values.status}
            onChoose={(status) => onChange({ status })}
            options={[
              ['', filter.any],
              ['passed', filter.passed],
              ['failed', filter.failed],
              ['4xx', filter.clientErrors],
              ['5xx', filter.serverErrors],
              ...[200, ...statuses].map((status) => [String(status), String(status)] as const),
            ]}
          />
          <Filter
            name="key"
            label={filter.key}
            value={values.key}
            onChoose={(key) => onChange({ key })}
            options={[
              ['', filter.anyKey],
              ...keys.map(({ keyId, name = keyId }) => [keyId, name] as const),
              [playgroundKeyId, texts.playground],
            ]}
          />
          <Filter
            name="range"
            label={filter.range}
            value={range}
            onChoose={(chosen) => onChange({ range: chosen === 'week' ? '' : chosen, from: '', to: '' })}
            options={[
              ['week', filter.ranges.week],
              ['day', filter.ranges.day],
              ['hour', filter.ranges.hour],
              ['custom', filter.ranges.custom],
            ]}
          />
        </Filters>
      </div>
      {range === 'custom' && <TimeFields values={values} onChange={onChange} />}
      {/* A disabled button would lose the focus, and so would one that leaves. */}
      <div>
        <Button
          variant="secondary"
          aria-disabled={!isFiltered}
          onClick={() => onChange(Object.fromEntries(filterNames.map((name) => [name, ''])))}
        >
          {filter.clear}
        </Button>
      </div>
    </div>
  );
}

function TimeFields({ values, onChange }: Pick<RequestFiltersProps, 'values' | 'onChange'>) {
  const { filter } = useConsole().texts.requests;
  const apply = async ({ from, to }: { from: string; to: string }) =>
    onChange({ range: 'custom', from: isoOf(from), to: isoOf(to) });
  return (
    <div className={styles.times}>
      <Form action={filter.apply} onSubmit={apply}>
        <Filters>
          <Field
            name="from"
            type="datetime-local"
            label={filter.from}
            defaultValue={localTime(values.from)}
          />
          <Field name="to" type="datetime-local" label={filter.to} defaultValue={localTime(values.to)} />
        </Filters>
      </Form>
    </div>
  );
}

const isoOf = (local: string) => (local === '' ? '' : new Date(local).toISOString());
