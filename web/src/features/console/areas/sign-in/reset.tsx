import { Link } from 'gatsby';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { MailedLink } from './mailed-link';

export default function ResetPage() {
  const { texts, api, profile } = useConsole();
  const { reset } = texts.people;
  return (
    <MailedLink
      texts={reset}
      onSend={(email) => dataOf(api.POST('/reset', { body: { email } }))}
      autoComplete="username"
      defaultValue={profile?.email}
    >
      <p>
        <Link to="/console/sign-in">{reset.back}</Link>
      </p>
    </MailedLink>
  );
}
