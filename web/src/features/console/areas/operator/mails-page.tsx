import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Disclosure } from '../../../../components/ui/disclosure';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import { useData } from '../../state/use-call';
import * as styles from './operator.module.css';
import { OperatorPage, type Routed } from './operator-page';

interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly at: string;
}

/** The mails of the console where no mail server is. They load on request, because the audit log records each look. */
export function MailsPage(_route: Routed) {
  const { words, settings } = useConsole();
  const { mails: text, pages } = words.operator;
  const [isShown, setShown] = useState(false);
  const mails = useData<{ mails: readonly Mail[] }>(isShown ? '/operator/mails' : undefined);
  return (
    <OperatorPage title={pages.mails} lead={settings.smtp ? text.smtp : text.lead}>
      {isShown ? (
        <Loaded of={mails}>
          {({ mails: list }) => (list.length === 0 ? <Message text={text.none} /> : <Mails list={list} />)}
        </Loaded>
      ) : (
        <div>
          <Button look="secondary" onClick={() => setShown(true)}>
            {text.show}
          </Button>
        </div>
      )}
    </OperatorPage>
  );
}

const Mails = ({ list }: { list: readonly Mail[] }) => (
  <div>
    {list.map((mail, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: mails have no ids, and the list does not change
      <Disclosure key={index} summary={<MailSummary mail={mail} />}>
        <pre className={styles.mail}>{mail.text}</pre>
      </Disclosure>
    ))}
  </div>
);

const MailSummary = ({ mail: { to, subject, at } }: { mail: Mail }) => (
  <span className={styles.summary}>
    <span>{subject}</span>
    <span>{to}</span>
    <Time at={at} />
  </span>
);
