import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function SettingsPage() {
  const words = useConsole().words.settings;
  return <Page title={words.title}>{null}</Page>;
}
