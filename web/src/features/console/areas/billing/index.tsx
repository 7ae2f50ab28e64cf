import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function BillingPage() {
  const words = useConsole().words.billing;
  return <Page title={words.title}>{null}</Page>;
}
