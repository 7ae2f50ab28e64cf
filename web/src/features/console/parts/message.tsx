import { Link } from 'gatsby';
import type { ReactNode } from 'react';
import { Button } from '../../../components/ui/button';
import { fill } from '../../../fill';
import { CallError } from '../state/api';
import { hasSecondFactor, useConsole } from '../state/context';
import { usePrompts } from '../state/prompts';
import * as styles from './message.module.css';
import { Skeleton } from './skeleton';
import { timeOf } from './time';

/** In place of a part of a page whose data or script load. */
export const Loading = Skeleton;

interface MessageProps {
  title?: string;
  text: string;
  action?: string;
  onAction?: () => void;
}

/** A page or a part of one with nothing but a sentence, such as an error. */
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

interface EmptyProps {
  title: string;
  /** The purpose of the list, or the first step. */
  text: string;
  /** The button that begins the task. */
  children?: ReactNode;
}

/** In place of an empty list: what belongs here, and how to begin. */
export const Empty = ({ title, text, children }: EmptyProps) => (
  <div className={styles.empty}>
    <h2>{title}</h2>
    <p>{text}</p>
    {children}
  </div>
);

/** The sentence about a call that failed. */
export function useErrorText(error: CallError | null): string | undefined {
  const { unreachable, failed, again } = useConsole().texts.shell;
  // Other errors are faults of the page, whose messages are for developers.
  if (!(error instanceof CallError)) return undefined;
  if (error.code === 'UNREACHABLE') return unreachable;
  if (error.code === 'TOO_MANY_ATTEMPTS' && error.resetsAt)
    return fill(again, { time: timeOf(error.resetsAt) });
  return error.message || fill(failed, { requestId: error.requestId ?? '' });
}

interface FailureProps {
  error: CallError | null;
  /** Called after the person has confirmed who they are, if the error calls for it. */
  onConfirm?: (() => void) | undefined;
}

/** Announced at once by screen readers. */
export function Failure({ error, onConfirm }: FailureProps) {
  const text = useErrorText(error);
  return (
    <p role="alert" className={styles.failure} hidden={text === undefined}>
      {text} {error && <Remedy code={error.code} onConfirm={onConfirm} />}
    </p>
  );
}

/**
 * Asks the person to confirm who they are, if the sign-in is too old or too weak. People who have no second factor get a
 * link to their profile instead, because another sign-in would be just as weak.
 */
export function Remedy({ code, onConfirm }: Pick<CallError, 'code'> & Pick<FailureProps, 'onConfirm'>) {
  const { texts, profile } = useConsole();
  if (code !== 'RECENT_SIGN_IN_NEEDED' && code !== 'SECOND_FACTOR_NEEDED') return null;
  const isUseless = code === 'SECOND_FACTOR_NEEDED' && profile && !hasSecondFactor(profile);
  if (!isUseless) return <ConfirmIdentity onConfirm={onConfirm} />;
  return <Link to="/console/profile">{texts.shell.secondFactor.action}</Link>;
}

export function ConfirmIdentity({ onConfirm }: Pick<FailureProps, 'onConfirm'>) {
  const { recent } = useConsole().texts.shell;
  const { confirmIdentity } = usePrompts();
  const confirm = async () => {
    if (await confirmIdentity()) onConfirm?.();
  };
  return (
    <button type="button" className={styles.again} onClick={() => void confirm()}>
      {recent.action}
    </button>
  );
}
