import { useConsole } from '../context';
import { Field } from './form';

/** The gateway checks how easy it is to guess. */
export function NewPassword() {
  const { newPassword } = useConsole().words.people;
  return (
    <Field
      name="password"
      type="password"
      label={newPassword.label}
      hint={newPassword.hint}
      autoComplete="new-password"
      required
      minLength={12}
      maxLength={128}
    />
  );
}
