/** Reads of the API as queries, and calls that change something as mutations. */
import type { paths } from '@presenza/contract/console/types.d.ts';
import { type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useId } from 'react';
import { CallError, dataOf, type Reply } from './api';
import { hasSecondFactor, useConsole } from './context';
import { usePrompts } from './prompts';

type JsonOf<Operation> = Operation extends {
  readonly responses: { readonly 200: { readonly content: { readonly 'application/json': infer Json } } };
}
  ? Json
  : never;

/** Paths of calls that read JSON. */
export type ReadPath = {
  [Path in keyof paths]: JsonOf<paths[Path]['get']> extends never ? never : Path;
}[keyof paths];

/** The `data` of the response at a path. */
export type Data<Path extends ReadPath> =
  JsonOf<paths[Path]['get']> extends { readonly data: infer Value } ? Value : never;

type Parameters<Path extends ReadPath> = NonNullable<paths[Path]['get']>['parameters'];
type Optional<T> = { readonly [Name in keyof T]: T[Name] | undefined };

/** The parameters of the call at a path. Those of the query that are undefined are left out. */
export type ReadParams<Path extends ReadPath> = Pick<Parameters<Path>, 'path'> & {
  readonly query?: Optional<NonNullable<Parameters<Path>['query']>>;
};

/** The body of a call. */
export type Body<Path extends keyof paths, Method extends 'post' | 'patch'> = paths[Path][Method] extends {
  readonly requestBody?: { readonly content: { readonly 'application/json': infer Json } };
}
  ? Json
  : never;

type Options<Path extends ReadPath> = Pick<
  UseQueryOptions<Data<Path>>,
  'enabled' | 'refetchInterval' | 'refetchOnWindowFocus'
>;

/** The part of a query that shows its state. */
export interface ShownQuery<T> {
  readonly data: T | undefined;
  readonly error: CallError | null;
  readonly isPending: boolean;
  readonly errorUpdateCount: number;
  refetch(): Promise<unknown>;
}

/**
 * Reads data from the API. The cache key has the path and the parameters, so accounts share no data. A page shows only the
 * data that it read itself, because an earlier page may have changed entries.
 */
export function useData<Path extends ReadPath>(
  path: Path,
  params: ReadParams<Path>,
  options: Options<Path> = {},
): ShownQuery<Data<Path>> {
  const { api } = useConsole();
  const get = api.GET as (path: Path, init: object) => Promise<Reply<Data<Path>>>;
  const { data, error, isFetchedAfterMount, ...query } = useQuery<Data<Path>>({
    queryKey: [path, params],
    queryFn: () => dataOf(get(path, { params })),
    ...options,
  });
  return { ...query, ...(isFetchedAfterMount ? { data, error } : { data: undefined, error: null }) };
}

/** Returns a function that reads these paths again, wherever a page shows their data. Run it after a change. */
export function useReload(): (...changed: readonly ReadPath[]) => void {
  const client = useQueryClient();
  return useCallback(
    (...changed) => {
      for (const path of changed) void client.invalidateQueries({ queryKey: [path] });
    },
    [client],
  );
}

/**
 * Calls that a button or a form starts. While they run, further starts do nothing. If the sign-in is too old or too weak for
 * them, a dialog asks the person to confirm who they are, and the calls start again.
 */
export function useAction<Input = void>(act: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  const confirmIdentity = useConfirmation();
  const mutationKey = [useId()];
  const mutationFn = async (input: Input) => {
    try {
      return await act(input);
    } catch (error) {
      if (!(await confirmIdentity(error))) throw error;
      return act(input);
    }
  };
  const { mutate, ...action } = useMutation<unknown, CallError, Input>({ mutationKey, mutationFn });
  const run = (input: Input) => {
    if (client.isMutating({ mutationKey }) === 0) mutate(input);
  };
  return { ...action, run };
}

/** Returns a function that asks for a sign-in if an error calls for it, and says whether the call may start again. */
function useConfirmation(): (error: unknown) => Promise<boolean> {
  const { profile } = useConsole();
  const { confirmIdentity } = usePrompts();
  return async (error) => {
    const code = error instanceof CallError ? error.code : '';
    const isTooWeak = code === 'SECOND_FACTOR_NEEDED' && profile !== undefined && hasSecondFactor(profile);
    return (code === 'RECENT_SIGN_IN_NEEDED' || isTooWeak) && confirmIdentity();
  };
}
