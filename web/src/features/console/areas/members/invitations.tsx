import type { Invitation } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Block } from '../../parts/page';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { usePrompts } from '../../state/prompts';
import { useReload } from '../../state/queries';

interface InvitationsProps {
  list: readonly Invitation[];
}

/** Lists pending invitations, each with a button to withdraw it. Renders nothing if there are none. */
export function Invitations({ list }: InvitationsProps) {
  const { texts, api, account } = useAccount();
  const { table, roles, invitations: text } = texts.members;
  const reload = useReload();
  const { notify } = usePrompts();
  const [ending, setEnding] = useState<Invitation>();
  const withdraw = async ({ invitationId, email }: Invitation) => {
    const params = { path: { account: account.accountId, invitationId } };
    await dataOf(api.DELETE('/accounts/{account}/invitations/{invitationId}', { params }));
    notify(fill(text.withdrawn, { email }));
    reload('/accounts/{account}/invitations');
  };
  if (list.length === 0) return null;
  return (
    <Block title={text.title}>
      <Table
        label={text.title}
        columns={[table.email, table.role, text.invitedBy, text.expiresAt, table.actions]}
      >
        {list.map((invitation) => (
          <tr key={invitation.invitationId}>
            <th scope="row">{invitation.email}</th>
            <td>{roles[invitation.role].label}</td>
            <td>{invitation.invitedBy}</td>
            <td>
              <Time at={invitation.expiresAt} />
            </td>
            <td>
              <RowButton label={text.withdraw} row={invitation.email} onClick={() => setEnding(invitation)} />
            </td>
          </tr>
        ))}
      </Table>
      {ending && (
        <Confirm
          title={fill(text.confirm, { email: ending.email })}
          text={text.text}
          action={text.withdraw}
          onConfirm={() => withdraw(ending)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </Block>
  );
}
