import { Field, Form } from '../../parts/form';
import { NewPassword } from '../../parts/new-password';
import { Block } from '../../parts/page';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { usePrompts } from '../../state/prompts';
import { type Body, useReload } from '../../state/queries';

export function Password({ hasPassword }: { hasPassword: boolean }) {
  const { texts, api, profile, refresh } = useConsole();
  const { password } = texts.profile;
  const reload = useReload();
  const { notify } = usePrompts();
  const change = async (body: Body<'/profile/password', 'post'>) => {
    await dataOf(api.POST('/profile/password', { body }));
    await refresh();
    notify(password.done);
    // A new password ends all other sign-ins.
    reload('/profile/sign-ins');
  };
  return (
    <Block title={password.title}>
      {!hasPassword && <p>{password.none}</p>}
      <Form clears action={hasPassword ? password.change : password.add} onSubmit={change}>
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
    </Block>
  );
}
