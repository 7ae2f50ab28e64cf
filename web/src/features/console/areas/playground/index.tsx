import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function PlaygroundPage() {
  const words = useConsole().words.playground;
  return <Page title={words.title}>{null}</Page>;
}
