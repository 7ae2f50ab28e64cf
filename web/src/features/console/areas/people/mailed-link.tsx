/** Asks for an address and mails a link to it. The next page is the same for unknown addresses. */
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { EmailField, Form, type Values } from '../../parts/form';
import { Failure } from '../../parts/message';
import { Page } from '../../parts/page';
import { useConsole } from '../../state/context';
import { useAction } from '../../state/use-call';

interface MailedLinkProps extends Pick<ComponentProps<'input'>, 'autoComplete' | 'defaultValue'> {
  words: { readonly title: string; readonly lead: string; readonly action: string; readonly sent: string };
  /** The call that mails the link, with further fields. */
  path: string;
  body?: object | undefined;
  /** Above the form. */
  note?: ReactNode;
  /** Below the form. */
  children: ReactNode;
}

export function MailedLink({ words, path, body, note, children, ...field }: MailedLinkProps) {
  const { words: all, api } = useConsole();
  const [sentTo, setSentTo] = useState<string>();
  const send = useAction(async ({ email = '' }: Values) => {
    await api.call('POST', path, { email, ...body });
    setSentTo(email);
  });
  if (sentTo !== undefined) {
    return (
      <MailSent
        text={words.sent}
        email={sentTo}
        onResend={() => api.call('POST', path, { email: sentTo, ...body })}
        onBack={() => setSentTo(undefined)}
      />
    );
  }
  return (
    <Page narrow title={words.title} lead={words.lead}>
      {note}
      <Form action={words.action} on={send}>
        <EmailField label={all.people.email} {...field} />
      </Form>
      {children}
    </Page>
  );
}

interface MailSentProps {
  text: string;
  email: string;
  /** @throws CallError */
  onResend(): Promise<unknown>;
  onBack(): void;
}

function MailSent({ text, email, onResend, onBack }: MailSentProps) {
  const { words, settings } = useConsole();
  const { mailSent } = words.people;
  const { title, text: sent } = settings.smtp ? { title: mailSent.title, text } : mailSent.mailbox;
  const [isAgain, setAgain] = useState(false);
  const again = useAction(async () => {
    setAgain(false);
    await onResend();
    setAgain(true);
  });
  return (
    <Page narrow title={title} lead={fill(sent, { email })}>
      {settings.smtp && <p>{mailSent.hint}</p>}
      <Failure error={again.error} />
      <p role="status">{isAgain && mailSent.sentAgain}</p>
      <Button look="secondary" aria-busy={again.isBusy || undefined} onClick={() => void again.run()}>
        {mailSent.again}
      </Button>
      <Button look="secondary" onClick={onBack}>
        {mailSent.back}
      </Button>
    </Page>
  );
}
