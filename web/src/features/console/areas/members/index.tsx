import type { Member } from '@presenza/contract/console/types.d.ts';
import { navigate } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Block, Page } from '../../parts/page';
import { RowButton, RowButtons } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { dataOf } from '../../state/api';
import { useCommandedTask } from '../../state/commanded-task';
import { useAccount } from '../../state/context';
import { usePrompts } from '../../state/prompts';
import { useData, useReload } from '../../state/queries';
import { ChangeRole } from './change-role';
import { FormerAccessBlock } from './former-access';
import { Invitations } from './invitations';
import { Invite } from './invite';

type Open = { readonly invite: true } | { readonly change: Member } | { readonly remove: Member };

export default function MembersPage() {
  const { texts, api, account, may } = useAccount();
  const { title, lead, invitation, removal } = texts.members;
  const path = { account: account.accountId };
  const mayChange = may('membersUpdate') && may('membersRemove');
  const members = useData('/accounts/{account}/members', { path });
  const invitations = useData(
    '/accounts/{account}/invitations',
    { path },
    { enabled: may('invitationsList') },
  );
  const former = useData('/accounts/{account}/former-access', { path }, { enabled: may('formerAccessList') });
  const reload = useReload();
  const { notify } = usePrompts();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  useCommandedTask(() => may('membersInvite') && setOpen({ invite: true }));
  const remove = async ({ userId, email }: Member) => {
    const params = { path: { ...path, userId } };
    await dataOf(api.DELETE('/accounts/{account}/members/{userId}', { params }));
    notify(fill(removal.done, { email }));
    reload('/accounts/{account}/members', '/accounts/{account}/former-access');
  };
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        may('membersInvite') && <Button onClick={() => setOpen({ invite: true })}>{invitation.open}</Button>
      }
    >
      <Loaded query={members}>
        {(data) => <MemberTable list={data.members} onOpen={mayChange ? setOpen : undefined} />}
      </Loaded>
      <Invitations list={invitations.data?.invitations ?? []} />
      <FormerAccessBlock people={former.data?.people ?? []} />
      <Leave />
      {open && 'invite' in open && <Invite onClose={close} />}
      {open && 'change' in open && <ChangeRole member={open.change} onClose={close} />}
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
  const { texts, api, account, refresh } = useAccount();
  const { leaving } = texts.members;
  const [isAsking, setAsking] = useState(false);
  const { notify } = usePrompts();
  const leave = async () => {
    const params = { path: { account: account.accountId } };
    await dataOf(api.POST('/accounts/{account}/leave', { params }));
    notify(fill(leaving.done, { account: account.name }));
    await refresh();
    await navigate('/console');
  };
  return (
    <Block title={leaving.title}>
      <p>{leaving.text}</p>
      <div>
        <Button variant="secondary" onClick={() => setAsking(true)}>
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
  const { texts, profile } = useAccount();
  const { title, table, roles, you, change, removal } = texts.members;
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
                <RowButton
                  label={change.open}
                  row={member.email}
                  onClick={() => onOpen({ change: member })}
                />
                {member.userId !== profile.userId && (
                  <RowButton
                    label={removal.action}
                    row={member.email}
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
