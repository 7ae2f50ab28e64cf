import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function OperatorPage() {
  const words = useConsole().words.operator;
  return <Page title={words.title}>{null}</Page>;
}
