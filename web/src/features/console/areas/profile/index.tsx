import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function ProfilePage() {
  const words = useConsole().words.profile;
  return <Page title={words.title}>{null}</Page>;
}
