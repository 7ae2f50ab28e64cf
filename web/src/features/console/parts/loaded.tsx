import { type ReactNode, useState } from 'react';
import { useConsole } from '../state/context';
import type { ShownQuery } from '../state/queries';
import { Failure, Loading, Message, useErrorText } from './message';
import { SecondFactorNeeded } from './second-factor-needed';

interface LoadedProps<T> {
  query: ShownQuery<T>;
  children(data: T): ReactNode;
}

/**
 * Renders the data of a query, a placeholder, or the error with a retry button. If the sign-in is too old or too weak, the
 * error leads to what helps.
 */
export function Loaded<T>({ query, children }: LoadedProps<T>) {
  const { loading, retry } = useConsole().texts.shell;
  const error = useLastError(query);
  const failure = useErrorText(error);
  if (error?.code === 'SECOND_FACTOR_NEEDED')
    return <SecondFactorNeeded onConfirm={() => void query.refetch()} />;
  if (error?.code === 'RECENT_SIGN_IN_NEEDED')
    return <Failure error={error} onConfirm={() => void query.refetch()} />;
  if (failure !== undefined)
    return <Message text={failure} action={retry} onAction={() => query.refetch()} />;
  return query.data === undefined ? <Loading label={loading} /> : children(query.data);
}

/** The error of a query. While the query runs again, its last error stays, so that the button keeps the focus. */
function useLastError({ error, isPending, errorUpdateCount }: ShownQuery<unknown>) {
  const [last, setLast] = useState(error);
  if (error !== null && error !== last) setLast(error);
  return error ?? (isPending && errorUpdateCount > 0 ? last : null);
}
