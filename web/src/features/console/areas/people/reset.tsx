import { Link } from 'gatsby';
import { useConsole } from '../../state/context';
import { MailedLink } from './mailed-link';

export default function ResetPage() {
  const { words, profile } = useConsole();
  const { reset } = words.people;
  return (
    <MailedLink words={reset} path="/reset" autoComplete="username" defaultValue={profile?.email}>
      <p>
        <Link to="/console/sign-in">{reset.back}</Link>
      </p>
    </MailedLink>
  );
}
