/** The sessions and the requests of an account, for operators who help its members. */
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { useConsole } from '../../state/context';
import { type LoggedRequest, RequestTable } from '../requests/request-table';
import type { Session } from '../sessions/session-data';
import { SessionTable } from '../sessions/session-table';
import { type PartProps, pathOf } from './operator-data';

export function AccountSessions({ account: { accountId } }: PartProps) {
  const { sessions: text } = useConsole().words.operator;
  const list = useList<Session>(`${pathOf(accountId)}/sessions`, 'sessions');
  return (
    <ListPage of={list} none={<Message text={text.none} />}>
      {(sessions) => (
        <SessionTable sessions={sessions} nameOf={({ sessionId }) => <code>{sessionId}</code>} />
      )}
    </ListPage>
  );
}

export function AccountRequests({ account: { accountId } }: PartProps) {
  const { operator, requests: words } = useConsole().words;
  const list = useList<LoggedRequest>(`${pathOf(accountId)}/requests`, 'requests');
  return (
    <ListPage of={list} none={<Message text={operator.requests.none} />}>
      {(requests) => (
        <RequestTable
          requests={requests}
          nameOfKey={(keyId) => (keyId === 'console' ? words.playground : keyId)}
        />
      )}
    </ListPage>
  );
}
