import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function UsagePage() {
  const words = useConsole().words.usage;
  return <Page title={words.title}>{null}</Page>;
}
