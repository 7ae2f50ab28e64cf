import type { Member, Role } from '@presenza/contract/console/types.d.ts';
import { fill } from '../../../../fill';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/form';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { useReload } from '../../state/queries';
import { RoleChoice } from './role-choice';

interface ChangeRoleProps {
  member: Member;
  onClose(): void;
}

export function ChangeRole({ member: { userId, email, role }, onClose }: ChangeRoleProps) {
  const { texts, api, account, refresh } = useAccount();
  const { change } = texts.members;
  const reload = useReload();
  const save = async (body: { role: Role }) => {
    const params = { path: { account: account.accountId, userId } };
    await dataOf(api.PATCH('/accounts/{account}/members/{userId}', { params, body }));
    onClose();
    reload('/accounts/{account}/members', '/accounts/{account}/former-access');
    // A change of one's own role changes the pages.
    void refresh();
  };
  return (
    <Dialog title={fill(change.title, { email })} onClose={onClose}>
      <Form action={change.action} onSubmit={save}>
        <RoleChoice defaultValue={role} />
      </Form>
    </Dialog>
  );
}
