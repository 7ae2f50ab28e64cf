import type { Role } from '@presenza/contract/console/types.d.ts';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Field, Form } from '../../parts/form';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { usePrompts } from '../../state/prompts';
import { useReload } from '../../state/queries';
import { RoleChoice } from './role-choice';

export function Invite({ onClose }: { onClose(): void }) {
  const { texts, api, account, settings } = useAccount();
  const { invitation } = texts.members;
  const { notify } = usePrompts();
  const reload = useReload();
  const send = async (body: { email: string; role: Role }) => {
    const params = { path: { account: account.accountId } };
    await dataOf(api.POST('/accounts/{account}/members', { params, body }));
    notify(fill(settings.smtp ? invitation.sent : invitation.mailbox, { email: body.email }));
    reload('/accounts/{account}/invitations');
    onClose();
  };
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
