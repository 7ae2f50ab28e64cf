import type { Role } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Field, Form } from '../../parts/form';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { useReload } from '../../state/queries';
import { RoleChoice } from './role-choice';

export function Invite({ onClose }: { onClose(): void }) {
  const { texts, api, account } = useAccount();
  const { invitation } = texts.members;
  const [sentTo, setSentTo] = useState<string>();
  const reload = useReload();
  const send = async (body: { email: string; role: Role }) => {
    const params = { path: { account: account.accountId } };
    await dataOf(api.POST('/accounts/{account}/members', { params, body }));
    setSentTo(body.email);
    reload('/accounts/{account}/invitations');
  };
  if (sentTo !== undefined) {
    return (
      <Dialog title={invitation.sent} text={fill(invitation.sentText, { email: sentTo })} onClose={onClose}>
        <Button onClick={onClose}>{texts.shell.close}</Button>
      </Dialog>
    );
  }
  return (
    <Dialog title={invitation.title} text={invitation.text} onClose={onClose}>
      <Form action={invitation.action} onSubmit={send}>
        <Field
          name="email"
          type="email"
          label={texts.people.email}
          autoComplete="off"
          required
          maxLength={254}
        />
        <RoleChoice defaultValue="developer" />
      </Form>
    </Dialog>
  );
}
