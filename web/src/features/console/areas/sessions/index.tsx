import { Link } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Filter, Filters } from '../../parts/filters';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { Page } from '../../parts/page';
import { type Session, useSessions } from './session-data';
import { SessionTable } from './session-table';
import * as styles from './sessions.module.css';
import { useStartCheck } from './start-check';

export default function SessionsPage() {
  const { text, path, mayChange } = useSessions();
  const { filter } = text;
  const [status, setStatus] = useState('');
  const [mode, setMode] = useState('');
  const list = useList<Session>(path, 'sessions', { status, mode });
  const check = useStartCheck(list.reload);
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <Button look="secondary" onClick={list.reload}>
            {text.reload}
          </Button>
          {mayChange && check.button}
        </>
      }
    >
      {check.link}
      <Filters>
        <Filter
          name="status"
          label={filter.status}
          value={status}
          onChoose={setStatus}
          options={[['', filter.anyStatus], ...Object.entries(text.statuses)]}
        />
        <Filter
          name="mode"
          label={filter.mode}
          value={mode}
          onChoose={setMode}
          options={[['', filter.anyMode], ...Object.entries(text.modes)]}
        />
      </Filters>
      <ListPage of={list} none={<Message text={status || mode ? text.noneOfFilter : text.none} />}>
        {(sessions) => (
          <SessionTable
            sessions={sessions}
            nameOf={({ sessionId }) => (
              <Link className={styles.link} to={`/console/sessions/${sessionId}`}>
                <code>{sessionId}</code>
              </Link>
            )}
          />
        )}
      </ListPage>
    </Page>
  );
}
