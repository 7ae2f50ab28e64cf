import { bandOf } from '../../../demos/comparison';
import { Threshold } from '../../../demos/threshold';
import { Checks } from '../../parts/form';
import { useConsole } from '../../state/context';
import { attributes, categories, type OperationName, type Options } from './operations';
import * as styles from './playground.module.css';
import { usePlaygroundData } from './use-playground-data';

interface OptionsProps {
  operation: OperationName;
  options: Options;
  onChange(change: Partial<Options>): void;
}

/** The options that an operation has. */
export function OperationOptions({ operation, options, onChange }: OptionsProps) {
  const texts = useConsole().texts.playground.options;
  const { guidance } = usePlaygroundData().contractLimits.thresholds;
  const { similarityThreshold, confidenceThreshold } = options;
  const choices = <T extends keyof typeof texts>(names: readonly T[]) =>
    names.map((value) => ({ value, label: texts[value] }));
  switch (operation) {
    case 'detect':
      return (
        <Checks
          label={texts.attributes}
          name="attributes"
          options={choices(attributes)}
          chosen={options.attributes}
          onChange={(chosen) => onChange({ attributes: chosen })}
        />
      );
    case 'compare':
      return (
        <Threshold
          label={texts.similarityThreshold}
          value={similarityThreshold}
          onChange={(value) => onChange({ similarityThreshold: value })}
          disabled={false}
          marks={[]}
          bands={guidance}
          band={bandOf(guidance, similarityThreshold)?.label}
        />
      );
    case 'moderate':
      return (
        <>
          <Threshold
            label={texts.confidenceThreshold}
            value={confidenceThreshold}
            onChange={(value) => onChange({ confidenceThreshold: value })}
            disabled={false}
            marks={[]}
          />
          <div>
            <Checks
              label={texts.categories}
              name="categories"
              options={choices(categories)}
              chosen={options.categories}
              onChange={(chosen) => onChange({ categories: chosen })}
            />
            <p className={styles.note}>{texts.categoriesNote}</p>
          </div>
        </>
      );
  }
}
