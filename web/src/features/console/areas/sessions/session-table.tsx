import type { Session } from '@presenza/contract/console/types.d.ts';
import type { ReactNode } from 'react';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import { looks } from './session-data';

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
      columns={[table.session, table.status, table.mode, table.created, table.attempts]}
    >
      {sessions.map((session) => (
        <tr key={session.sessionId}>
          <th scope="row">{nameOf(session)}</th>
          <td>
            <Status status={looks[session.status]} label={text.statuses[session.status]} />
          </td>
          <td>{text.modes[session.mode]}</td>
          <td>
            <Time at={session.createdAt} />
          </td>
          <td>{fill(text.attempts, { begun: session.begunAttempts, failed: session.failedAttempts })}</td>
        </tr>
      ))}
    </Table>
  );
}
