import { Status } from '../../../../components/ui/status';
import { useConsole } from '../../context';

export function AccountStatus({ isSuspended }: { isSuspended: boolean }) {
  const { active, suspended } = useConsole().words.operator.accounts;
  return <Status status={isSuspended ? 'missed' : 'reached'} label={isSuspended ? suspended : active} />;
}
