import { useState } from 'react';
import { Status } from '../../../../components/ui/status';
import { Confirm } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import { useData } from '../../state/use-call';
import * as styles from './operator.module.css';
import { type PartProps, pathOf } from './operator-data';

interface Key {
  readonly keyId: string;
  readonly name?: string;
  readonly mode: 'live' | 'test';
  readonly state: 'active' | 'rolled' | 'expired' | 'revoked';
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

/** The keys of an account, which operators may revoke, for example one that leaked. */
export function AccountKeys({ account }: PartProps) {
  const { words, api } = useConsole();
  const { keys: text, account: names } = words.operator;
  const path = `${pathOf(account.accountId)}/keys`;
  const keys = useData<readonly Key[]>(path);
  const [asked, setAsked] = useState<Key>();
  return (
    <>
      <Loaded of={keys}>
        {(list) =>
          list.length === 0 ? (
            <Message text={text.none} />
          ) : (
            <Table
              label={names.parts.keys}
              columns={[
                ...[text.name, text.mode, text.state, text.created, text.ends, text.key],
                words.keys.table.actions,
              ]}
            >
              {list.map((key) => (
                <tr key={key.keyId}>
                  <th scope="row" className={styles.name}>
                    {key.name ?? key.keyId}
                  </th>
                  <td>{words.sessions.modes[key.mode]}</td>
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
                    <code>{key.keyId}</code>
                  </td>
                  <td>
                    {key.revokedAt === undefined && (
                      <RowButton
                        label={text.revoke.action}
                        of={key.name ?? key.keyId}
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
            await api.call('DELETE', `${path}/${asked.keyId}`);
            keys.reload();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
