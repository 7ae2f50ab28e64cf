import { fill } from '../../../fill';
import { useConsole } from '../state/context';
import { Field } from './form';

/** The gateway checks how easy it is to guess. */
export function NewPassword() {
  const { texts, settings } = useConsole();
  const { newPassword } = texts.people;
  const { least, most } = settings.passwordLength;
  return (
    <Field
      name="password"
      type="password"
      label={newPassword.label}
      hint={fill(newPassword.hint, { least })}
      autoComplete="new-password"
      required
      minLength={least}
      maxLength={most}
    />
  );
}
