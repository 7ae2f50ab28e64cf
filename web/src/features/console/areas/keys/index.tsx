import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function KeysPage() {
  const words = useConsole().words.keys;
  return <Page title={words.title}>{null}</Page>;
}
