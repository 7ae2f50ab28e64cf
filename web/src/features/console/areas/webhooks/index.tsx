import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function WebhooksPage() {
  const words = useConsole().words.webhooks;
  return <Page title={words.title}>{null}</Page>;
}
