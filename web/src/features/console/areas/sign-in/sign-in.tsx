import { Link, navigate } from 'gatsby';
import { useEffect, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { EmailField, Field, Form } from '../../parts/form';
import { Failure } from '../../parts/message';
import { Page } from '../../parts/page';
import { CallError, dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { nextAddress } from '../../state/next-address';
import { hasPasskeys, usePasskeys } from '../../state/passkeys';
import { useAction } from '../../state/queries';

export default function SignInPage() {
  const { texts, api, profile, refresh } = useConsole();
  const { email, password, signIn } = texts.people;
  const passkeys = usePasskeys();
  const [secondFactor, setSecondFactor] = useState<string>();
  // Read once, because the address changes before this page is gone.
  const [next] = useState(() => nextAddress(window.location.search) + window.location.hash);
  const withPassword = async (body: { email: string; password: string }) => {
    const result = await dataOf(api.POST('/sign-in', { body }));
    if (result.secondFactor) setSecondFactor(result.secondFactor);
    else await refresh();
  };
  const withPasskey = useAction(async () => {
    const options = await dataOf(api.POST('/sign-in/passkey-options'));
    const passkey = await passkeys.find(options);
    await dataOf(api.POST('/sign-in/passkey', { body: { ticket: options.ticket, passkey } }));
    await refresh();
  });

  const isDone = profile !== undefined;
  useEffect(() => {
    if (isDone) void navigate(next, { replace: true });
  }, [isDone, next]);
  if (isDone) return null;

  if (secondFactor !== undefined) {
    return <CodePage ticket={secondFactor} onDone={refresh} onExpired={() => setSecondFactor(undefined)} />;
  }
  return (
    <Page narrow title={signIn.title}>
      <Form action={signIn.action} onSubmit={withPassword}>
        <EmailField label={email} autoComplete="username" />
        <Field name="password" type="password" label={password} autoComplete="current-password" required />
      </Form>
      {hasPasskeys() && (
        <>
          <Button
            variant="secondary"
            aria-busy={withPasskey.isPending || undefined}
            onClick={() => withPasskey.run()}
          >
            {signIn.passkey}
          </Button>
          <Failure error={withPasskey.error} />
        </>
      )}
      <p>
        <Link to="/console/reset">{signIn.forgot}</Link>
      </p>
      <p>
        <Link to="/console/sign-up">{signIn.new}</Link>
      </p>
    </Page>
  );
}

interface CodePageProps {
  ticket: string;
  onDone(): Promise<unknown>;
  onExpired(): void;
}

/** The second factor. */
function CodePage({ ticket, onDone, onExpired }: CodePageProps) {
  const { texts, api } = useConsole();
  const { code, codeExpired } = texts.people;
  const [isExpired, setExpired] = useState(false);
  const confirm = async ({ code: entered }: { code: string }) => {
    try {
      await dataOf(api.POST('/sign-in/code', { body: { ticket, code: entered } }));
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'LINK_INVALID')) throw error;
      return setExpired(true);
    }
    await onDone();
  };
  if (isExpired) {
    return (
      <Page narrow title={code.title} lead={codeExpired.text}>
        <Button onClick={onExpired}>{codeExpired.action}</Button>
      </Page>
    );
  }
  return (
    <Page narrow title={code.title} lead={code.lead}>
      <Form action={code.action} onSubmit={confirm}>
        <Field name="code" label={code.label} autoComplete="one-time-code" required maxLength={32} />
      </Form>
    </Page>
  );
}
