import { Status } from '../../../../components/ui/status';
import { useConsole } from '../../state/context';

export function AccountStatus({ isSuspended }: { isSuspended: boolean }) {
  const { active, suspended } = useConsole().texts.operator.accounts;
  return <Status status={isSuspended ? 'missed' : 'reached'} label={isSuspended ? suspended : active} />;
}
