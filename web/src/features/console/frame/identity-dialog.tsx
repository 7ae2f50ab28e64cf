/**
 * Asks the person who is signed in to confirm who they are, above the form whose action needs it. The form keeps what was
 * typed, and its action goes on afterward.
 */
import type { Profile } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { fill } from '../../../fill';
import { Dialog } from '../parts/dialog';
import { Field, Form } from '../parts/form';
import { Failure } from '../parts/message';
import { CallError, dataOf } from '../state/api';
import { maySecure, useConsole } from '../state/context';
import { hasPasskeys, usePasskeys } from '../state/passkeys';
import { usePrompts } from '../state/prompts';
import { useAction } from '../state/queries';

/** The ways that suffice: a password alone does not for people who have a passkey, unless a code follows it. */
function waysOf({ hasPassword, hasOneTimePasswords, passkeys }: Profile) {
  const byPasskey = passkeys.length > 0 && hasPasskeys();
  return { byPasskey, byPassword: hasPassword && (hasOneTimePasswords || !byPasskey) };
}

const focus = (input: HTMLInputElement | null) => input?.focus();

export function IdentityDialog({ profile }: { profile: Profile }) {
  const { texts, api, refresh } = useConsole();
  const { conclude } = usePrompts();
  const { recent } = texts.shell;
  const { password, signIn, code, codeExpired } = texts.people;
  const { byPasskey, byPassword } = waysOf(profile);
  const passkeys = usePasskeys();
  const [secondFactor, setSecondFactor] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const finish = async () => {
    const current = await refresh();
    // A passkey may be that of another person, whose pages then replace these.
    if (current?.userId !== profile.userId) return conclude(false);
    if (!maySecure(current)) return setProblem(signIn.needsPasskey);
    conclude(true);
  };
  const withPassword = async (given: { password: string }) => {
    setProblem(undefined);
    const body = { email: profile.email, password: given.password };
    const result = await dataOf(api.POST('/sign-in', { body }));
    if (result.secondFactor) setSecondFactor(result.secondFactor);
    else await finish();
  };
  const withCode = async (given: { code: string }) => {
    try {
      await dataOf(api.POST('/sign-in/code', { body: { ticket: secondFactor ?? '', code: given.code } }));
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'LINK_INVALID')) throw error;
      setSecondFactor(undefined);
      return setProblem(codeExpired.text);
    }
    await finish();
  };
  const withPasskey = useAction(async () => {
    const options = await dataOf(api.POST('/sign-in/passkey-options'));
    const passkey = await passkeys.find(options);
    await dataOf(api.POST('/sign-in/passkey', { body: { ticket: options.ticket, passkey } }));
    await finish();
  });
  return (
    <Dialog
      title={recent.title}
      text={secondFactor === undefined ? fill(recent.text, { email: profile.email }) : code.lead}
      onClose={() => conclude(false)}
    >
      {problem && <p role="alert">{problem}</p>}
      {secondFactor === undefined && byPassword && (
        <Form action={recent.confirm} onSubmit={withPassword}>
          {/* Password managers find the password by this name. */}
          <input type="text" autoComplete="username" value={profile.email} readOnly hidden />
          <Field name="password" type="password" label={password} autoComplete="current-password" required />
        </Form>
      )}
      {secondFactor !== undefined && (
        <Form key="code" action={recent.confirm} onSubmit={withCode}>
          <Field
            name="code"
            label={code.label}
            autoComplete="one-time-code"
            required
            maxLength={32}
            ref={focus}
          />
        </Form>
      )}
      {byPasskey && (
        <>
          <Failure error={withPasskey.error} />
          <Button
            variant={byPassword ? 'secondary' : 'primary'}
            aria-busy={withPasskey.isPending || undefined}
            onClick={() => withPasskey.run()}
          >
            {recent.passkey}
          </Button>
        </>
      )}
    </Dialog>
  );
}
