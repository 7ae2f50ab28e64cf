import Monitor from 'lucide-react/dist/esm/icons/monitor.mjs';
import Moon from 'lucide-react/dist/esm/icons/moon.mjs';
import Sun from 'lucide-react/dist/esm/icons/sun.mjs';
import { useSite } from '../../components/use-site';
import { track } from '../analytics/track';
import * as styles from './picker.module.css';
import { MODE } from './themes';
import { useRootChoice } from './use-root-choice';

const ICONS = new Map([
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
]);

/** The choice between light, dark and system colors. */
export function ModeSwitch() {
  const { modes } = useSite();
  const [current, setMode] = useRootChoice(MODE);
  const choose = (mode: string) => {
    setMode(mode);
    track('mode_chosen', { mode });
  };
  return (
    <fieldset className={styles.picker}>
      <legend>{modes.label}</legend>
      {modes.choices.map(({ name, label }) => {
        const Icon = ICONS.get(name);
        return (
          <label key={name} className={styles.mode} title={label}>
            <input
              type="radio"
              name="mode"
              aria-label={label}
              checked={name === current}
              onChange={() => choose(name)}
            />
            {Icon && <Icon aria-hidden size={16} strokeWidth={1.5} />}
          </label>
        );
      })}
    </fieldset>
  );
}
