/** Asks for an address and mails a link to it. The next page is the same for unknown addresses. */
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { EmailField, Form } from '../../parts/form';
import { Failure } from '../../parts/message';
import { Page } from '../../parts/page';
import { useConsole } from '../../state/context';
import { useAction } from '../../state/queries';

interface MailedLinkProps extends Pick<ComponentProps<'input'>, 'autoComplete' | 'defaultValue'> {
  texts: { readonly title: string; readonly lead: string; readonly action: string; readonly sent: string };
  /** Makes the call that mails the link. @throws CallError */
  onSend(email: string): Promise<unknown>;
  /** Above the form. */
  note?: ReactNode;
  /** Below the form. */
  children: ReactNode;
}

export function MailedLink({ texts, onSend, note, children, ...field }: MailedLinkProps) {
  const { people } = useConsole().texts;
  const [sentTo, setSentTo] = useState<string>();
  const send = async ({ email }: { email: string }) => {
    await onSend(email);
    setSentTo(email);
  };
  if (sentTo !== undefined) {
    return (
      <MailSent
        text={texts.sent}
        email={sentTo}
        onResend={() => onSend(sentTo)}
        onBack={() => setSentTo(undefined)}
      />
    );
  }
  return (
    <Page narrow title={texts.title} lead={texts.lead}>
      {note}
      <Form action={texts.action} onSubmit={send}>
        <EmailField label={people.email} {...field} />
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
  const { texts, settings } = useConsole();
  const { mailSent } = texts.people;
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
      <Button variant="secondary" aria-busy={again.isPending || undefined} onClick={() => again.run()}>
        {mailSent.again}
      </Button>
      <Button variant="secondary" onClick={onBack}>
        {mailSent.back}
      </Button>
    </Page>
  );
}
