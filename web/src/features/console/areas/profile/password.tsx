import { useState } from 'react';
import { Field, Form, type Values } from '../../parts/form';
import { NewPassword } from '../../parts/new-password';
import { Block } from '../../parts/page';
import { useConsole } from '../../state/context';
import { useAction } from '../../state/use-call';

export function Password({ hasPassword }: { hasPassword: boolean }) {
  const { words, api, profile, refresh } = useConsole();
  const { password } = words.profile;
  const [changes, setChanges] = useState(0);
  const change = useAction(async (values: Values) => {
    await api.call('POST', '/profile/password', values);
    await refresh();
    setChanges(changes + 1);
  });
  return (
    <Block title={password.title}>
      {!hasPassword && <p>{password.none}</p>}
      {/* A saved password leaves the form. */}
      <Form key={changes} action={hasPassword ? password.change : password.add} on={change}>
        {/* Password managers store the password under this name. */}
        <input type="text" autoComplete="username" value={profile?.email} readOnly hidden />
        {hasPassword && (
          <Field
            name="currentPassword"
            type="password"
            label={password.current}
            autoComplete="current-password"
            required
          />
        )}
        <NewPassword />
      </Form>
      <p role="status">{changes > 0 && password.done}</p>
    </Block>
  );
}
