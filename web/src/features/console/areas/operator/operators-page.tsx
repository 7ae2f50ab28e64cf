import type { Person } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { EmailField, Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { useData } from '../../state/queries';
import * as styles from './operator.module.css';
import { OperatorPage, type Routed } from './operator-page';

export function OperatorsPage(_route: Routed) {
  const { texts, api, profile, refresh } = useConsole();
  const { operators: text, pages } = texts.operator;
  const operators = useData('/operator/operators', {});
  const [asked, setAsked] = useState<Person>();
  const [added, setAdded] = useState<Person>();
  const add = async (body: { email: string }) => {
    setAdded(undefined);
    setAdded(await dataOf(api.POST('/operator/operators', { body })));
    void operators.refetch();
  };
  return (
    <OperatorPage title={pages.operators} lead={text.lead}>
      <Loaded query={operators}>
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
                      row={operator.email}
                      onClick={() => setAsked(operator)}
                    />
                  </td>
                </tr>
              ))}
            </Table>
            <div className={styles.form}>
              <Form key={added?.userId} action={text.add} onSubmit={add}>
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
            await dataOf(api.DELETE('/operator/operators', { body: { email: asked.email } }));
            // Removed operators lose these pages.
            await refresh();
            void operators.refetch();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </OperatorPage>
  );
}
