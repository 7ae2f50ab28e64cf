import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { useConsole } from '../../context';
import { Field, Form, type Values } from '../../parts/form';
import { useAction } from '../../use-call';
import { AuditLog } from './audit-log';
import * as styles from './operator.module.css';
import { OperatorPage, type Routed } from './operator-page';

export function AuditPage(_route: Routed) {
  const { audit: text, pages } = useConsole().words.operator;
  const [account, setAccount] = useState('');
  const find = useAction(async (values: Values) => setAccount(values.account?.trim() ?? ''));
  return (
    <OperatorPage title={pages.audit}>
      <div className={styles.form}>
        <Form
          key={account}
          action={text.find}
          on={find}
          others={
            account && (
              <Button look="secondary" onClick={() => setAccount('')}>
                {text.all}
              </Button>
            )
          }
        >
          <Field
            name="account"
            label={text.account}
            defaultValue={account}
            maxLength={64}
            pattern="\s*[\w\-]*\s*"
            autoComplete="off"
          />
        </Form>
      </div>
      <AuditLog key={account} account={account} />
    </OperatorPage>
  );
}
