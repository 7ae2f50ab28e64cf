import type { Incident } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Confirm } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { RowButton, RowButtons } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { useData } from '../../state/queries';
import { CreateIncident, ScheduleMaintenance, UpdateIncident } from './incident-forms';
import * as styles from './operator.module.css';
import { OperatorPage, type Routed } from './operator-page';

type Asked = 'create' | 'schedule' | { readonly update: Incident } | { readonly remove: Incident };

/** The incidents of the status page, and the forms that write them. */
export function IncidentsPage(_route: Routed) {
  const { texts, api } = useConsole();
  const { incidents: text, pages } = texts.operator;
  const incidents = useData('/operator/incidents', {});
  const [asked, setAsked] = useState<Asked>();
  const dialog = {
    onDone: () => {
      setAsked(undefined);
      void incidents.refetch();
    },
    onClose: () => setAsked(undefined),
  };
  return (
    <OperatorPage
      title={pages.incidents}
      lead={text.lead}
      actions={
        <>
          <Button onClick={() => setAsked('create')}>{text.create.action}</Button>
          <Button variant="secondary" onClick={() => setAsked('schedule')}>
            {text.schedule.action}
          </Button>
        </>
      }
    >
      <Loaded query={incidents}>
        {({ incidents: list }) =>
          list.length === 0 ? <Message text={text.none} /> : <IncidentTable list={list} onAsk={setAsked} />
        }
      </Loaded>
      {asked === 'create' && <CreateIncident {...dialog} />}
      {asked === 'schedule' && <ScheduleMaintenance {...dialog} />}
      {typeof asked === 'object' && 'update' in asked && (
        <UpdateIncident incident={asked.update} {...dialog} />
      )}
      {typeof asked === 'object' && 'remove' in asked && (
        <Confirm
          {...text.remove}
          onConfirm={async () => {
            const params = { path: { incident: asked.remove.incidentId } };
            await dataOf(api.DELETE('/operator/incidents/{incident}', { params }));
            void incidents.refetch();
          }}
          onClose={dialog.onClose}
        />
      )}
    </OperatorPage>
  );
}

interface TableProps {
  list: readonly Incident[];
  onAsk(asked: Asked): void;
}

function IncidentTable({ list, onAsk }: TableProps) {
  const { incidents: text, pages } = useConsole().texts.operator;
  return (
    <Table
      label={pages.incidents}
      columns={[text.title, text.status, text.impact, text.from, text.until, text.actions]}
    >
      {list.map((incident) => (
        <tr key={incident.incidentId}>
          <th scope="row" className={styles.name}>
            {incident.title}
            <span className={styles.latest}>{incident.updates[0]?.text}</span>
          </th>
          <td>{text.statuses[incident.status]}</td>
          <td>
            {text.impacts[incident.impact]}:{' '}
            {incident.components.map((component) => text.components[component]).join(', ')}
          </td>
          <td>
            <Time at={incident.startsAt} />
          </td>
          <td>{incident.endsAt === undefined ? text.open : <Time at={incident.endsAt} />}</td>
          <td>
            <RowButtons>
              <RowButton
                label={text.update.action}
                row={incident.title}
                onClick={() => onAsk({ update: incident })}
              />
              <RowButton
                label={text.remove.action}
                row={incident.title}
                onClick={() => onAsk({ remove: incident })}
              />
            </RowButtons>
          </td>
        </tr>
      ))}
    </Table>
  );
}
