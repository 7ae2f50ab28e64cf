import type { Mail } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Disclosure } from '../../../../components/ui/disclosure';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import { useData } from '../../state/queries';
import * as styles from './operator.module.css';
import { OperatorPage, type Routed } from './operator-page';

/** The mails of the console where no mail server is. They load on request, because the audit log records each look. */
export function MailsPage(_route: Routed) {
  const { texts, settings } = useConsole();
  const { mails: text, pages } = texts.operator;
  const [isShown, setShown] = useState(false);
  const mails = useData('/operator/mails', {}, { enabled: isShown });
  return (
    <OperatorPage title={pages.mails} lead={settings.smtp ? text.smtp : text.lead}>
      {isShown ? (
        <Loaded query={mails}>
          {({ mails: list }) => (list.length === 0 ? <Message text={text.none} /> : <Mails list={list} />)}
        </Loaded>
      ) : (
        <div>
          <Button variant="secondary" onClick={() => setShown(true)}>
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
