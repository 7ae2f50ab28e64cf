import type { Member, Role } from '@presenza/contract/console/types.d.ts';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/form';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { usePrompts } from '../../state/prompts';
import { useReload } from '../../state/queries';
import { RoleChoice } from './role-choice';

interface ChangeRoleProps {
  member: Member;
  onClose(): void;
}

export function ChangeRole({ member: { userId, email, role }, onClose }: ChangeRoleProps) {
  const { texts, api, profile, account, refresh } = useAccount();
  const { change, roles } = texts.members;
  const reload = useReload();
  const { notify } = usePrompts();
  const give = async (body: { role: Role }) => {
    const params = { path: { account: account.accountId, userId } };
    await dataOf(api.PATCH('/accounts/{account}/members/{userId}', { params, body }));
    reload('/accounts/{account}/members', '/accounts/{account}/former-access');
    // A change of one's own role changes the pages.
    void refresh();
  };
  const save = async (body: { role: Role }) => {
    await give(body);
    onClose();
    if (body.role === role) return;
    // People who gave up their own role cannot take it back.
    const undo = userId === profile.userId ? undefined : () => give({ role });
    notify(fill(change.done, { email, role: roles[body.role].label.toLowerCase() }), undo);
  };
  return (
    <Dialog title={fill(change.title, { email })} onClose={onClose}>
      <Form action={change.action} onSubmit={save}>
        <RoleChoice defaultValue={role} />
      </Form>
    </Dialog>
  );
}
