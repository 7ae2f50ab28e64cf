import { useState } from 'react';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Block } from '../../parts/page';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { type Role, useAccount } from '../../state/context';
import type { Loaded } from '../../state/use-call';

export interface Invitation {
  readonly invitationId: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly expiresAt: string;
}

interface InvitationsProps {
  of: Pick<Loaded<{ invitations: readonly Invitation[] }>, 'data' | 'reload'>;
  /** Of the calls about invitations. */
  path: string;
}

/** The invitations that nobody has accepted yet, with a button that ends each. Nothing without any. */
export function Invitations({ of: { data, reload }, path }: InvitationsProps) {
  const { words, api } = useAccount();
  const { table, roles, invitations: text } = words.members;
  const [ending, setEnding] = useState<Invitation>();
  const list = data?.invitations ?? [];
  const withdraw = async ({ invitationId }: Invitation) => {
    await api.call('DELETE', `${path}/${invitationId}`, {});
    reload();
  };
  if (list.length === 0) return null;
  return (
    <Block title={text.title}>
      <Table
        label={text.title}
        columns={[table.email, table.role, text.invitedBy, text.expiresAt, table.actions]}
      >
        {list.map((one) => (
          <tr key={one.invitationId}>
            <th scope="row">{one.email}</th>
            <td>{roles[one.role].label}</td>
            <td>{one.invitedBy}</td>
            <td>
              <Time at={one.expiresAt} />
            </td>
            <td>
              <RowButton label={text.withdraw} of={one.email} onClick={() => setEnding(one)} />
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
