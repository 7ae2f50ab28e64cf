import type { KeyMode, SessionStatus } from '@presenza/contract/console/types.d.ts';
import { Link } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { entriesOf, Filter, Filters } from '../../parts/filters';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { Page } from '../../parts/page';
import { useSessions } from './session-data';
import { SessionTable } from './session-table';
import * as styles from './sessions.module.css';
import { useStartCheck } from './start-check';

export default function SessionsPage() {
  const { text, account, may } = useSessions();
  const { filter } = text;
  const [status, setStatus] = useState<SessionStatus | ''>('');
  const [mode, setMode] = useState<KeyMode | ''>('');
  const query = { status: status || undefined, mode: mode || undefined };
  const list = useList('/accounts/{account}/sessions', {
    name: 'sessions',
    params: { path: { account }, query },
  });
  const check = useStartCheck();
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <>
          <Button variant="secondary" onClick={() => void list.refetch()}>
            {text.reload}
          </Button>
          {may('playgroundLiveness') && check.button}
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
          options={[['', filter.anyStatus], ...entriesOf(text.statuses)]}
        />
        <Filter
          name="mode"
          label={filter.mode}
          value={mode}
          onChoose={setMode}
          options={[['', filter.anyMode], ...entriesOf(text.modes)]}
        />
      </Filters>
      <ListPage
        list={list}
        none={
          status || mode ? (
            <Message text={text.noneOfFilter} />
          ) : (
            <Message
              text={text.none}
              {...(may('playgroundLiveness') && { action: text.start.action, onAction: check.start })}
            />
          )
        }
      >
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
