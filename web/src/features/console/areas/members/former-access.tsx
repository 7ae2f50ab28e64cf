import type { FormerAccess } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { Confirm } from '../../parts/dialog';
import { Block } from '../../parts/page';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { usePrompts } from '../../state/prompts';
import { useReload } from '../../state/queries';

interface FormerAccessProps {
  people: readonly FormerAccess[];
}

/** The keys and endpoints that outlive the rights of their creators, with a button that revokes all of a person. */
export function FormerAccessBlock({ people }: FormerAccessProps) {
  const { texts, api, account } = useAccount();
  const { table, roles, formerAccess: text } = texts.members;
  const reload = useReload();
  const { notify } = usePrompts();
  const [revoking, setRevoking] = useState<FormerAccess>();
  const nameOf = ({ userId, email }: FormerAccess) => email ?? fill(text.formerMember, { userId });
  const revoke = async ({ userId }: FormerAccess) => {
    const params = { path: { account: account.accountId, userId } };
    const counts = await dataOf(api.DELETE('/accounts/{account}/former-access/{userId}', { params }));
    notify(fill(text.revoked, counts));
    reload('/accounts/{account}/former-access');
  };
  if (people.length === 0) return null;
  return (
    <Block title={text.title}>
      <p>{text.text}</p>
      <Table label={text.title} columns={[text.creator, table.role, text.keys, text.webhooks, table.actions]}>
        {people.map((person) => (
          <tr key={person.userId}>
            <th scope="row">{nameOf(person)}</th>
            <td>{person.role ? roles[person.role].label : text.none}</td>
            <td>
              {person.keys.map(({ keyId, name, lastUsedAt }) => (
                <div key={keyId}>
                  {name} <CopiedId id={keyId} /> {lastUsedAt && <Time at={lastUsedAt} />}
                </div>
              ))}
            </td>
            <td>
              {person.webhooks.map(({ webhookId, url }) => (
                <div key={webhookId}>{url}</div>
              ))}
            </td>
            <td>
              <RowButton label={text.revoke} row={nameOf(person)} onClick={() => setRevoking(person)} />
            </td>
          </tr>
        ))}
      </Table>
      {revoking && (
        <Confirm
          title={fill(text.confirm, { person: nameOf(revoking) })}
          text={text.confirmText}
          action={text.revoke}
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Block>
  );
}
