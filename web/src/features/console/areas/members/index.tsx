import { navigate } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Block, Page } from '../../parts/page';
import { RowButton, RowButtons } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { type Role, useAccount } from '../../state/context';
import { useData } from '../../state/use-call';
import { ChangeRole } from './change-role';
import { FormerAccess, type FormerAccessOf } from './former-access';
import { type Invitation, Invitations } from './invitations';
import { Invite } from './invite';

export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
}

type Open = { readonly invite: true } | { readonly change: Member } | { readonly remove: Member };

export default function MembersPage() {
  const { words, api, account, refresh } = useAccount();
  const { title, lead, invitation, removal } = words.members;
  const isOwner = account.role === 'owner';
  const path = `/accounts/${account.accountId}/members`;
  const members = useData<{ members: readonly Member[] }>(path);
  const invitationPath = `/accounts/${account.accountId}/invitations`;
  const invitations = useData<{ invitations: readonly Invitation[] }>(isOwner ? invitationPath : undefined);
  const formerPath = `/accounts/${account.accountId}/former-access`;
  const former = useData<{ people: readonly FormerAccessOf[] }>(isOwner ? formerPath : undefined);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const remove = async ({ userId }: Member) => {
    await api.call('DELETE', `${path}/${userId}`, {});
    members.reload();
    former.reload();
  };
  // A change of one's own role changes the pages.
  const changed = () => {
    members.reload();
    former.reload();
    void refresh();
  };
  return (
    <Page
      title={title}
      lead={lead}
      actions={isOwner && <Button onClick={() => setOpen({ invite: true })}>{invitation.open}</Button>}
    >
      <Loaded of={members}>
        {(data) => <MemberTable list={data.members} onOpen={isOwner ? setOpen : undefined} />}
      </Loaded>
      <Invitations of={invitations} path={invitationPath} />
      <FormerAccess of={former} path={formerPath} />
      <Leave />
      {open && 'invite' in open && <Invite path={path} onSent={invitations.reload} onClose={close} />}
      {open && 'change' in open && (
        <ChangeRole path={path} member={open.change} onChanged={changed} onClose={close} />
      )}
      {open && 'remove' in open && (
        <Confirm
          title={fill(removal.title, { email: open.remove.email })}
          text={removal.text}
          action={removal.action}
          onConfirm={() => remove(open.remove)}
          onClose={close}
        />
      )}
    </Page>
  );
}

function Leave() {
  const { words, api, account, refresh } = useAccount();
  const { leaving } = words.members;
  const [isAsking, setAsking] = useState(false);
  const leave = async () => {
    await api.call('POST', `/accounts/${account.accountId}/leave`, {});
    await refresh();
    await navigate('/console');
  };
  return (
    <Block title={leaving.title}>
      <p>{leaving.text}</p>
      <div>
        <Button look="secondary" onClick={() => setAsking(true)}>
          {leaving.action}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          title={fill(leaving.confirm, { account: account.name })}
          text={leaving.text}
          action={leaving.action}
          onConfirm={leave}
          onClose={() => setAsking(false)}
        />
      )}
    </Block>
  );
}

interface MemberTableProps {
  list: readonly Member[];
  onOpen: ((open: Open) => void) | undefined;
}

function MemberTable({ list, onOpen }: MemberTableProps) {
  const { words, profile } = useAccount();
  const { title, table, roles, you, change, removal } = words.members;
  return (
    <Table label={title} columns={[table.email, table.role, ...(onOpen ? [table.actions] : [])]}>
      {list.map((member) => (
        <tr key={member.userId}>
          <th scope="row">
            {member.email} {member.userId === profile.userId && you}
          </th>
          <td>{roles[member.role].label}</td>
          {onOpen && (
            <td>
              <RowButtons>
                <RowButton label={change.open} of={member.email} onClick={() => onOpen({ change: member })} />
                {member.userId !== profile.userId && (
                  <RowButton
                    label={removal.action}
                    of={member.email}
                    onClick={() => onOpen({ remove: member })}
                  />
                )}
              </RowButtons>
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}
