import { type Role, useConsole } from '../../context';
import { Choice } from '../../parts/form';

export const roles = ['owner', 'developer', 'billing', 'viewer'] as const satisfies readonly Role[];

export function RoleChoice({ defaultValue }: { defaultValue: Role }) {
  const words = useConsole().words.members;
  return (
    <Choice
      name="role"
      label={words.table.role}
      defaultValue={defaultValue}
      options={roles.map((role) => ({ value: role, label: describe(words.roles[role]) }))}
    />
  );
}

const describe = ({ label, text }: { label: string; text: string }) => `${label}: ${text}`;
