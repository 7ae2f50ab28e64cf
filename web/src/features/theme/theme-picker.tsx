import { useSite } from '../../components/use-site';
import { track } from '../analytics/track';
import * as styles from './picker.module.css';
import { THEME } from './themes';
import { useRootChoice } from './use-root-choice';

/** The choice of the accent color. */
export function ThemePicker() {
  const { themes } = useSite();
  const [current, setTheme] = useRootChoice(THEME);
  const choose = (theme: string) => {
    setTheme(theme);
    track('theme_chosen', { theme });
  };
  return (
    <fieldset className={styles.picker}>
      <legend>{themes.label}</legend>
      {themes.choices.map(({ name, label }) => (
        <label key={name} className={styles.swatch} data-theme={name} title={label}>
          <input
            type="radio"
            name="theme"
            aria-label={label}
            checked={name === current}
            onChange={() => choose(name)}
          />
        </label>
      ))}
    </fieldset>
  );
}
