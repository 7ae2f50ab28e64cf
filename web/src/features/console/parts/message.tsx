import { Link, navigate } from 'gatsby';
import { Button } from '../../../components/ui/button';
import { fill } from '../../../fill';
import type { CallError } from '../state/api';
import { hasSecondFactor, useConsole } from '../state/context';
import * as styles from './message.module.css';

/** Shown only if a response takes long. */
export const Loading = ({ label }: { label: string }) => (
  <p className={styles.loading} role="status">
    {label}
  </p>
);

interface MessageProps {
  title?: string;
  text: string;
  action?: string;
  onAction?: () => void;
}

/** A page or a part of one with nothing but a sentence: an error, or an empty list. */
export const Message = ({ title, text, action, onAction }: MessageProps) => (
  <div className={styles.message}>
    {title && <h1>{title}</h1>}
    <p>{text}</p>
    {action && (
      <Button look="secondary" {...(onAction && { onClick: onAction })}>
        {action}
      </Button>
    )}
  </div>
);

/** The sentence about a call that failed. */
export function useErrorText(error: CallError | undefined): string | undefined {
  const { unreachable, failed } = useConsole().words.shell;
  if (!error) return undefined;
  if (error.code === 'UNREACHABLE') return unreachable;
  return error.message || fill(failed, { requestId: error.requestId ?? '' });
}

/** Announced at once by screen readers. */
export function Failure({ error }: { error: CallError | undefined }) {
  const text = useErrorText(error);
  return (
    <p role="alert" className={styles.failure} hidden={text === undefined}>
      {text} {error && <Remedy code={error.code} />}
    </p>
  );
}

/**
 * Leads from a sign-in that is too old or too weak to the page for signing in, and back. Without a second factor, another
 * sign-in would be as weak, so the way is to the profile.
 */
export function Remedy({ code }: Pick<CallError, 'code'>) {
  const { words, profile } = useConsole();
  if (code !== 'RECENT_SIGN_IN_NEEDED' && code !== 'SECOND_FACTOR_NEEDED') return null;
  const isUseless = code === 'SECOND_FACTOR_NEEDED' && profile && !hasSecondFactor(profile);
  if (!isUseless) return <SignInAgain />;
  return <Link to="/console/profile">{words.shell.secondFactor.action}</Link>;
}

export function SignInAgain() {
  const { words } = useConsole();
  const leave = async () => {
    const { pathname, search } = window.location;
    await navigate(`/console/sign-in?again&next=${encodeURIComponent(pathname + search)}`);
  };
  return (
    <button type="button" className={styles.again} onClick={() => void leave()}>
      {words.shell.recent.action}
    </button>
  );
}
