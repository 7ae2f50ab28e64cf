import { Link, navigate } from 'gatsby';
import { Button } from '../../../components/ui/button';
import { fill } from '../../../fill';
import { CallError } from '../state/api';
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
      <Button variant="secondary" {...(onAction && { onClick: onAction })}>
        {action}
      </Button>
    )}
  </div>
);

/** The sentence about a call that failed. */
export function useErrorText(error: CallError | null): string | undefined {
  const { unreachable, failed } = useConsole().texts.shell;
  // Other errors are faults of the page, whose messages are for developers.
  if (!(error instanceof CallError)) return undefined;
  if (error.code === 'UNREACHABLE') return unreachable;
  return error.message || fill(failed, { requestId: error.requestId ?? '' });
}

/** Announced at once by screen readers. */
export function Failure({ error }: { error: CallError | null }) {
  const text = useErrorText(error);
  return (
    <p role="alert" className={styles.failure} hidden={text === undefined}>
      {text} {error && <Remedy code={error.code} />}
    </p>
  );
}

/**
 * Links to the sign-in page, which leads back, if the sign-in is too old or too weak. People who have no second factor get a
 * link to their profile instead, because another sign-in would be just as weak.
 */
export function Remedy({ code }: Pick<CallError, 'code'>) {
  const { texts, profile } = useConsole();
  if (code !== 'RECENT_SIGN_IN_NEEDED' && code !== 'SECOND_FACTOR_NEEDED') return null;
  const isUseless = code === 'SECOND_FACTOR_NEEDED' && profile && !hasSecondFactor(profile);
  if (!isUseless) return <SignInAgain />;
  return <Link to="/console/profile">{texts.shell.secondFactor.action}</Link>;
}

export function SignInAgain() {
  const { texts } = useConsole();
  const leave = async () => {
    const { pathname, search } = window.location;
    await navigate(`/console/sign-in?again&next=${encodeURIComponent(pathname + search)}`);
  };
  return (
    <button type="button" className={styles.again} onClick={() => void leave()}>
      {texts.shell.recent.action}
    </button>
  );
}
