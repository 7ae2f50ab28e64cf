import { useConsole } from '../../context';
import { Page } from '../../parts/page';

export default function PeopleNewPasswordPage() {
  const words = useConsole().words.people;
  return <Page title={words.signIn.title}>{null}</Page>;
}
