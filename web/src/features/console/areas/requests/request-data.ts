/** Names of keys, paths and errors, for the log of requests and other pages. */
import type { LoggedRequest } from '@presenza/contract/console/types.d.ts';
import { graphql, useStaticQuery } from 'gatsby';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';

/** The id of the playground, which has no key. */
export const playgroundKeyId = 'console';

/** The keys of the account, and the name of a key by its id. */
export function useKeyNames() {
  const { texts, account } = useAccount();
  const { data: keys } = useData('/accounts/{account}/keys', { path: { account: account.accountId } });
  const nameOfKey = (keyId: string): string =>
    keyId === playgroundKeyId
      ? texts.requests.playground
      : (keys?.find((key) => key.keyId === keyId)?.name ?? keyId);
  return { keys: keys ?? [], nameOfKey };
}

/** The paths of calls with an API key, and the errors of the contract by their code. */
export function useContract() {
  const { allContractOperation, allContractError } = useStaticQuery<QueryData<Queries.ConsoleCallsQuery>>(
    graphql`
      query ConsoleCalls {
        allContractOperation(sort: { position: ASC }) { nodes { path isSessionCall } }
        allContractError(sort: { position: ASC }) { nodes { code status title advice } }
      }
    `,
  );
  const paths = allContractOperation.nodes.flatMap(({ path, isSessionCall }) =>
    isSessionCall ? [] : [path],
  );
  const errors = allContractError.nodes;
  return {
    paths: [...new Set(paths)],
    statuses: [...new Set(errors.map(({ status }) => status))].sort((status, other) => status - other),
    errorOf: (code: string | undefined) => errors.find((error) => error.code === code),
  };
}

export const isFailed = ({ status }: Pick<LoggedRequest, 'status'>): boolean => status >= 400;
