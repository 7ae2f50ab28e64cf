/** Shown after a mail was asked for. It reads the same whether or not the address is known. */
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Failure } from '../../parts/message';
import { Page } from '../../parts/page';
import { useConsole } from '../../state/context';
import { useAction, useData } from '../../state/use-call';

interface MailSentProps {
  text: string;
  /** @throws CallError */
  onResend(): Promise<unknown>;
  onBack(): void;
}

export function MailSent({ text, onResend, onBack }: MailSentProps) {
  const { mailSent } = useConsole().words.people;
  const settings = useData<{ smtp?: boolean }>('/settings');
  const [isAgain, setAgain] = useState(false);
  const again = useAction(async () => {
    setAgain(false);
    await onResend();
    setAgain(true);
  });
  return (
    <Page narrow title={mailSent.title} lead={text}>
      <p>{settings.data?.smtp === false ? mailSent.mailbox : mailSent.hint}</p>
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
