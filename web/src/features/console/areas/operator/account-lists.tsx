/** The sessions and the requests of an account, for operators who help its members. */
import { useConsole } from '../../context';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Pages, usePlace } from '../../parts/pages';
import { useData } from '../../use-call';
import { type LoggedRequest, RequestTable } from '../requests/request-table';
import type { Session } from '../sessions/session-data';
import { SessionTable } from '../sessions/session-table';
import { type PartProps, pathOf } from './operator-data';

const pageSize = 50;

export function AccountSessions({ account }: PartProps) {
  const { sessions: text } = useConsole().words.operator;
  const { place, page } = usePage<{ sessions: readonly Session[]; next?: string }>(account, 'sessions');
  return (
    <Loaded of={page}>
      {({ sessions, next }) => (
        <>
          {sessions.length === 0 ? (
            <Message text={text.none} />
          ) : (
            <SessionTable sessions={sessions} nameOf={({ sessionId }) => <code>{sessionId}</code>} />
          )}
          <Pages place={place} next={next} />
        </>
      )}
    </Loaded>
  );
}

export function AccountRequests({ account }: PartProps) {
  const { operator, requests: words } = useConsole().words;
  const { place, page } = usePage<{ requests: readonly LoggedRequest[]; next?: string }>(account, 'requests');
  return (
    <Loaded of={page}>
      {({ requests, next }) => (
        <>
          {requests.length === 0 ? (
            <Message text={operator.requests.none} />
          ) : (
            <RequestTable
              requests={requests}
              nameOfKey={(keyId) => (keyId === 'console' ? words.playground : keyId)}
            />
          )}
          <Pages place={place} next={next} />
        </>
      )}
    </Loaded>
  );
}

function usePage<T>({ accountId }: PartProps['account'], list: string) {
  const place = usePlace();
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(place.after !== undefined && { after: place.after }),
  });
  return { place, page: useData<T>(`${pathOf(accountId)}/${list}?${query}`) };
}
