import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function SessionsPage() {
  const words = useConsole().words.sessions;
  return <Page title={words.title}>{null}</Page>;
}
