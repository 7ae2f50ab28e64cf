import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function HomePage() {
  const words = useConsole().words.home;
  return <Page title={words.title}>{null}</Page>;
}
