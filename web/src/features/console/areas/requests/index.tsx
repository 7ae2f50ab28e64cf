import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function RequestsPage() {
  const words = useConsole().words.requests;
  return <Page title={words.title}>{null}</Page>;
}
