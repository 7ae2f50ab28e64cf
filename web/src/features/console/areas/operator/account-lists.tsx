/** The sessions and the requests of an account, for operators who help its members. */
import { CopiedId } from '../../parts/copied-id';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { useConsole } from '../../state/context';
import { playgroundKeyId } from '../requests/request-data';
import { RequestTable } from '../requests/request-table';
import { SessionTable } from '../sessions/session-table';
import type { PartProps } from './part-props';

export function AccountSessions({ account: { accountId } }: PartProps) {
  const { sessions: text } = useConsole().texts.operator;
  const list = useList('/operator/accounts/{account}/sessions', {
    name: 'sessions',
    params: { path: { account: accountId } },
  });
  return (
    <ListPage list={list} none={<Message text={text.none} />}>
      {(sessions) => (
        <SessionTable sessions={sessions} nameOf={({ sessionId }) => <CopiedId id={sessionId} />} />
      )}
    </ListPage>
  );
}

export function AccountRequests({ account: { accountId } }: PartProps) {
  const { operator, requests: texts } = useConsole().texts;
  const list = useList('/operator/accounts/{account}/requests', {
    name: 'requests',
    params: { path: { account: accountId } },
  });
  return (
    <ListPage list={list} none={<Message text={operator.requests.none} />}>
      {(requests) => (
        <RequestTable
          requests={requests}
          path="/operator/accounts/{account}/requests/{request}"
          account={accountId}
          nameOfKey={(keyId) => (keyId === playgroundKeyId ? texts.playground : keyId)}
        />
      )}
    </ListPage>
  );
}
