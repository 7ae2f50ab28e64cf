import { Link } from 'gatsby';
import { hasSecondFactor, useConsole } from '../state/context';
import { SignInAgain } from './message';

/** In place of data that need a passkey or a second factor: how to get there. */
export function SecondFactorNeeded() {
  const { words, profile } = useConsole();
  const { text, action } = words.shell.secondFactor;
  return (
    <div role="alert">
      <p>{text}</p>
      <p>
        {profile && hasSecondFactor(profile) ? <SignInAgain /> : <Link to="/console/profile">{action}</Link>}
      </p>
    </div>
  );
}
