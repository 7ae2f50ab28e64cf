import { fill } from '../../../../fill';
import { useConsole } from '../../context';
import { Dialog } from '../../parts/dialog';
import { Form, type Values } from '../../parts/form';
import { useAction } from '../../use-call';
import type { Member } from './index';
import { RoleChoice } from './role-choice';

interface ChangeRoleProps {
  /** Of the calls about members. */
  path: string;
  member: Member;
  onChanged(): void;
  onClose(): void;
}

export function ChangeRole({ path, member, onChanged, onClose }: ChangeRoleProps) {
  const { words, api } = useConsole();
  const { change } = words.members;
  const save = useAction(async (values: Values) => {
    await api.call('PATCH', `${path}/${member.userId}`, values);
    onClose();
    onChanged();
  });
  return (
    <Dialog title={fill(change.title, { email: member.email })} onClose={onClose}>
      <Form action={change.action} on={save}>
        <RoleChoice defaultValue={member.role} />
      </Form>
    </Dialog>
  );
}
