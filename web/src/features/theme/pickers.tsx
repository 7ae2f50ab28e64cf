import Monitor from 'lucide-react/dist/esm/icons/monitor.mjs';
import Moon from 'lucide-react/dist/esm/icons/moon.mjs';
import Sun from 'lucide-react/dist/esm/icons/sun.mjs';
import { track } from '../../analytics/track';
import { useSite } from '../../components/use-site';
import { type RootChoice, useRootChoice } from '../../root-choice';
import * as styles from './picker.module.css';
import { MODE, THEME } from './themes';

const ICONS: Record<string, typeof Sun> = { system: Monitor, light: Sun, dark: Moon };

/** The choice of the accent color. */
export const ThemePicker = () => (
  <Picker choice={THEME} {...useSite().themes} onChoose={(theme) => track('theme_chosen', { theme })} />
);

/** The choice between light, dark and system colors. */
export const ModeSwitch = () => (
  <Picker choice={MODE} {...useSite().modes} onChoose={(mode) => track('mode_chosen', { mode })} />
);

interface PickerProps {
  choice: RootChoice<string>;
  label: string;
  choices: readonly { name: string; label: string }[];
  onChoose(name: string): void;
}

function Picker({ choice, label: legend, choices, onChoose }: PickerProps) {
  const [current, choose] = useRootChoice(choice);
  const isTheme = choice === THEME;
  return (
    <fieldset className={styles.picker}>
      <legend>{legend}</legend>
      {choices.map(({ name, label }) => {
        const Icon = isTheme ? undefined : ICONS[name];
        return (
          <label
            key={name}
            className={isTheme ? styles.swatch : styles.mode}
            data-theme={isTheme ? name : undefined}
            title={label}
          >
            <input
              type="radio"
              name={choice.attribute}
              aria-label={label}
              checked={name === current}
              onChange={() => {
                choose(name);
                onChoose(name);
              }}
            />
            {Icon && <Icon aria-hidden size={16} strokeWidth={1.5} />}
          </label>
        );
      })}
    </fieldset>
  );
}
