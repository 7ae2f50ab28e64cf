import { useCallback, useEffect, useRef, useState } from 'react';
import { CallError } from './api';
import { useConsole } from './context';

export interface Loaded<T> {
  /** Undefined until the first response. While it loads again, the earlier data stay. */
  readonly data: T | undefined;
  readonly error: CallError | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/** Reads data from the API, anew when the path changes. @param path undefined reads nothing */
export function useData<T>(path: string | undefined): Loaded<T> {
  const { api, refresh } = useConsole();
  const [state, setState] = useState<{ path?: string | undefined; data?: T; error?: CallError }>({});
  const [turn, setTurn] = useState(0);
  const [isLoading, setLoading] = useState(path !== undefined);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` repeats the call
  useEffect(() => {
    if (path === undefined) return;
    let isCurrent = true;
    setLoading(true);
    api
      .call<T>('GET', path)
      .then((data) => isCurrent && setState({ path, data }))
      .catch((error: CallError) => {
        if (!isCurrent) return;
        setState({ path, error });
        if (error.code === 'SIGNED_OUT') void refresh();
      })
      .finally(() => isCurrent && setLoading(false));
    return () => {
      isCurrent = false;
    };
  }, [api, path, turn]);

  const reload = useCallback(() => setTurn((one) => one + 1), []);
  // The data of another path would be those of another account or page.
  const isOwn = state.path === path;
  return { data: isOwn ? state.data : undefined, error: isOwn ? state.error : undefined, isLoading, reload };
}

export interface Action<A extends readonly unknown[]> {
  /** Does nothing while it runs. */
  run(...args: A): Promise<void>;
  readonly isBusy: boolean;
  readonly error: CallError | undefined;
  clear(): void;
}

/** Runs calls that a button or a form starts, one at a time. */
export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> {
  const { refresh } = useConsole();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CallError>();
  const running = useRef(false);
  const run = async (...args: A) => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    setError(undefined);
    try {
      await act(...args);
    } catch (reason) {
      if (!(reason instanceof CallError)) throw reason;
      setError(reason);
      if (reason.code === 'SIGNED_OUT') void refresh();
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, isBusy, error, clear: () => setError(undefined) };
}
