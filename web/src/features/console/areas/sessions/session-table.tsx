import type { Session } from '@presenza/contract/console/types.d.ts';
import type { ReactNode } from 'react';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { ExactTime } from '../../parts/exact-time';
import { Table } from '../../parts/table';
import { useConsole } from '../../state/context';
import { looks } from './session-data';
import { verdictLooks, verdictOf } from './verdict';

interface SessionTableProps {
  sessions: readonly Session[];
  /** The id, with a link where there is a page. */
  nameOf(session: Session): ReactNode;
}

export function SessionTable({ sessions, nameOf }: SessionTableProps) {
  const { sessions: text } = useConsole().texts;
  const { table } = text;
  return (
    <Table
      label={text.title}
      columns={[table.session, table.status, table.verdict, table.created, table.mode, table.attempts]}
    >
      {sessions.map((session) => (
        <tr key={session.sessionId}>
          <th scope="row">{nameOf(session)}</th>
          <td>
            <Status status={looks[session.status]} label={text.statuses[session.status]} />
          </td>
          <td>
            <VerdictStatus session={session} />
          </td>
          <td>
            <ExactTime at={session.createdAt} />
          </td>
          <td>{text.modes[session.mode]}</td>
          <td>{fill(text.attempts, { begun: session.begunAttempts, failed: session.failedAttempts })}</td>
        </tr>
      ))}
    </Table>
  );
}

function VerdictStatus({ session }: { session: Session }) {
  const { verdicts } = useConsole().texts.sessions;
  const verdict = verdictOf(session);
  return <Status status={verdictLooks[verdict]} label={verdicts[verdict]} />;
}
