import type { Role } from '@presenza/contract/console/types.d.ts';
import { roleValues } from '@presenza/contract/console/values.ts';
import { Choice } from '../../parts/form';
import { useConsole } from '../../state/context';

export function RoleChoice({ defaultValue }: { defaultValue: Role }) {
  const texts = useConsole().texts.members;
  return (
    <Choice
      name="role"
      label={texts.table.role}
      defaultValue={defaultValue}
      options={roleValues.map((role) => ({ value: role, label: describe(texts.roles[role]) }))}
    />
  );
}

const describe = ({ label, text }: { label: string; text: string }) => `${label}: ${text}`;
