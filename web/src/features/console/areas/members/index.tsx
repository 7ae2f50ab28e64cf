import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function MembersPage() {
  const words = useConsole().words.members;
  return <Page title={words.title}>{null}</Page>;
}
