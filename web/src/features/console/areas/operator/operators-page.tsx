import { useState } from 'react';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { EmailField, Form, type Values } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { useConsole } from '../../state/context';
import { useAction, useData } from '../../state/use-call';
import * as styles from './operator.module.css';
import { OperatorPage, type Routed } from './operator-page';

interface Operator {
  readonly userId: string;
  readonly email: string;
}

export function OperatorsPage(_route: Routed) {
  const { words, api, profile, refresh } = useConsole();
  const { operators: text, pages } = words.operator;
  const operators = useData<{ operators: readonly Operator[] }>('/operator/operators');
  const [asked, setAsked] = useState<Operator>();
  const [added, setAdded] = useState<Operator>();
  const add = useAction(async (values: Values) => {
    setAdded(undefined);
    setAdded(await api.call<Operator>('POST', '/operator/operators', values));
    operators.reload();
  });
  return (
    <OperatorPage title={pages.operators} lead={text.lead}>
      <Loaded of={operators}>
        {({ operators: list }) => (
          <>
            <Table label={pages.operators} columns={[text.who, text.actions]}>
              {list.map((operator) => (
                <tr key={operator.userId}>
                  <th scope="row" className={styles.name}>
                    {operator.email}
                    {operator.userId === profile?.userId && ` (${text.you})`}
                  </th>
                  <td>
                    <RowButton
                      label={text.remove.action}
                      of={operator.email}
                      onClick={() => setAsked(operator)}
                    />
                  </td>
                </tr>
              ))}
            </Table>
            <div className={styles.form}>
              <Form key={added?.userId} action={text.add} on={add}>
                <EmailField label={text.email} autoComplete="off" />
              </Form>
            </div>
            <p role="status">{added && fill(text.added, { email: added.email })}</p>
          </>
        )}
      </Loaded>
      {asked && (
        <Confirm
          {...text.remove}
          name={asked.email}
          onConfirm={async () => {
            await api.call('DELETE', '/operator/operators', { email: asked.email });
            // Removed operators lose these pages.
            await refresh();
            operators.reload();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </OperatorPage>
  );
}
