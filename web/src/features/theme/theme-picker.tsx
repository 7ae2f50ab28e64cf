import { useSite } from '../../components/use-site';
import * as styles from './theme-picker.module.css';
import { isTheme } from './themes';
import { useTheme } from './use-theme';

export function ThemePicker() {
  const { themes } = useSite();
  const [current, setTheme] = useTheme();
  return (
    <fieldset className={styles.picker}>
      <legend>{themes.label}</legend>
      {themes.choices.map(({ name, label }) => (
        <label key={name} className={styles.choice} data-theme={name} title={label}>
          <input
            type="radio"
            name="theme"
            aria-label={label}
            checked={name === current}
            onChange={() => isTheme(name) && setTheme(name)}
          />
        </label>
      ))}
    </fieldset>
  );
}
