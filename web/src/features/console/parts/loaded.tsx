import type { ReactNode } from 'react';
import { useConsole } from '../state/context';
import type { Loaded as State } from '../state/use-call';
import { Failure, Loading, Message, useErrorText } from './message';
import { SecondFactorNeeded } from './second-factor-needed';

interface LoadedProps<T> {
  of: Pick<State<T>, 'data' | 'error' | 'reload'>;
  children(data: T): ReactNode;
}

/**
 * The data of a call; a note until they are there, or a sentence about what failed with a button that repeats the call or
 * leads to a stronger sign-in.
 */
export function Loaded<T>({ of: { data, error, reload }, children }: LoadedProps<T>) {
  const { loading, retry } = useConsole().words.shell;
  const failure = useErrorText(error);
  if (error?.code === 'SECOND_FACTOR_NEEDED') return <SecondFactorNeeded />;
  if (error?.code === 'RECENT_SIGN_IN_NEEDED') return <Failure error={error} />;
  if (failure !== undefined) return <Message text={failure} action={retry} onAction={reload} />;
  return data === undefined ? <Loading label={loading} /> : children(data);
}
