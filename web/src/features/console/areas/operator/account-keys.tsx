import type { Key } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Status } from '../../../../components/ui/status';
import { CopiedId } from '../../parts/copied-id';
import { Confirm } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { useData } from '../../state/queries';
import * as styles from './operator.module.css';
import type { PartProps } from './part-props';

/** The keys of an account, which operators may revoke, for example one that leaked. */
export function AccountKeys({ account }: PartProps) {
  const { texts, api } = useConsole();
  const { keys: text, account: names } = texts.operator;
  const path = { account: account.accountId };
  const keys = useData('/operator/accounts/{account}/keys', { path });
  const [asked, setAsked] = useState<Key>();
  return (
    <>
      <Loaded query={keys}>
        {(list) =>
          list.length === 0 ? (
            <Message text={text.none} />
          ) : (
            <Table
              label={names.parts.keys}
              columns={[
                text.name,
                text.mode,
                text.state,
                text.created,
                text.ends,
                text.key,
                texts.keys.table.actions,
              ]}
            >
              {list.map((key) => (
                <tr key={key.keyId}>
                  <th scope="row" className={styles.name}>
                    {key.name ?? key.keyId}
                  </th>
                  <td>{texts.sessions.modes[key.mode]}</td>
                  <td>
                    <Status
                      status={key.state === 'active' ? 'reached' : 'none'}
                      label={text.states[key.state]}
                    />
                  </td>
                  <td>
                    <Time at={key.createdAt} />
                  </td>
                  <td>{key.expiresAt === undefined ? text.never : <Time at={key.expiresAt} />}</td>
                  <td>
                    <CopiedId id={key.keyId} />
                  </td>
                  <td>
                    {key.revokedAt === undefined && (
                      <RowButton
                        label={text.revoke.action}
                        row={key.name ?? key.keyId}
                        onClick={() => setAsked(key)}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {asked && (
        <Confirm
          {...text.revoke}
          name={asked.name ?? asked.keyId}
          onConfirm={async () => {
            const params = { path: { ...path, key: asked.keyId } };
            await dataOf(api.DELETE('/operator/accounts/{account}/keys/{key}', { params }));
            void keys.refetch();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
