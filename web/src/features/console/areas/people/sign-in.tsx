import { Link, navigate } from 'gatsby';
import { useEffect, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { EmailField, Field, Form, type Values } from '../../parts/form';
import { Failure } from '../../parts/message';
import { Page } from '../../parts/page';
import { CallError } from '../../state/api';
import { maySecure, useConsole } from '../../state/context';
import { nextAddress } from '../../state/next-address';
import { hasPasskeys, type PasskeyOptions, usePasskeys } from '../../state/passkeys';
import { useAction } from '../../state/use-call';

/** The page that the person wanted, and whether a sign-in that is recent does not suffice for it. */
function readAddress({ search, hash }: Location) {
  return { next: nextAddress(search) + hash, isAgain: new URLSearchParams(search).has('again') };
}

export default function SignInPage() {
  const { words, api, profile, refresh } = useConsole();
  const { email, password, signIn } = words.people;
  const { recent } = words.shell;
  const passkeys = usePasskeys();
  const [secondFactor, setSecondFactor] = useState<string>();
  // Read once, because the address changes before this page is gone.
  const [{ next, isAgain }] = useState(() => readAddress(window.location));
  const [isTooWeak, setTooWeak] = useState(false);
  const enter = async () => {
    const current = await refresh();
    if (!isAgain || !current) return;
    // That page would lead back here, until the person uses the passkey.
    if (!maySecure(current)) return setTooWeak(true);
    await navigate(next, { replace: true });
  };
  const withPassword = useAction(async (values: Values) => {
    const result = await api.call<{ secondFactor?: string }>('POST', '/sign-in', values);
    if (result.secondFactor) setSecondFactor(result.secondFactor);
    else await enter();
  });
  const withPasskey = useAction(async () => {
    const begun = await api.call<PasskeyOptions>('POST', '/sign-in/passkey-options', {});
    const passkey = await passkeys.find(begun);
    await api.call('POST', '/sign-in/passkey', { ticket: begun.ticket, passkey });
    await enter();
  });

  const isDone = profile?.isRecent === true && !isAgain;
  useEffect(() => {
    if (isDone) void navigate(next, { replace: true });
  }, [isDone, next]);
  if (isDone) return null;

  if (secondFactor !== undefined) {
    return <CodePage ticket={secondFactor} onDone={enter} onExpired={() => setSecondFactor(undefined)} />;
  }
  return (
    <Page narrow title={profile ? recent.title : signIn.title} lead={profile ? recent.text : undefined}>
      <Form action={signIn.action} on={withPassword}>
        <EmailField label={email} autoComplete="username" defaultValue={profile?.email} />
        <Field name="password" type="password" label={password} autoComplete="current-password" required />
      </Form>
      {isTooWeak && <p role="alert">{signIn.needsPasskey}</p>}
      {hasPasskeys() && (
        <>
          <Button
            look="secondary"
            aria-busy={withPasskey.isBusy || undefined}
            onClick={() => void withPasskey.run()}
          >
            {signIn.passkey}
          </Button>
          <Failure error={withPasskey.error} />
        </>
      )}
      <p>
        <Link to="/console/reset">{signIn.forgot}</Link>
      </p>
      {!profile && (
        <p>
          <Link to="/console/sign-up">{signIn.new}</Link>
        </p>
      )}
    </Page>
  );
}

interface CodePageProps {
  ticket: string;
  onDone(): Promise<void>;
  onExpired(): void;
}

/** The second factor. */
function CodePage({ ticket, onDone, onExpired }: CodePageProps) {
  const { words, api } = useConsole();
  const { code, codeExpired } = words.people;
  const [isExpired, setExpired] = useState(false);
  const confirm = useAction(async (values: Values) => {
    try {
      await api.call('POST', '/sign-in/code', { ticket, ...values });
    } catch (error) {
      if (!(error instanceof CallError && error.code === 'LINK_INVALID')) throw error;
      return setExpired(true);
    }
    await onDone();
  });
  if (isExpired) {
    return (
      <Page narrow title={code.title} lead={codeExpired.text}>
        <Button onClick={onExpired}>{codeExpired.action}</Button>
      </Page>
    );
  }
  return (
    <Page narrow title={code.title} lead={code.lead}>
      <Form action={code.action} on={confirm}>
        <Field name="code" label={code.label} autoComplete="one-time-code" required maxLength={32} />
      </Form>
    </Page>
  );
}
