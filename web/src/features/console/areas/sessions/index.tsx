import { Link } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Filters } from '../../parts/filters';
import { Choice } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Page } from '../../parts/page';
import { Pages, usePlace } from '../../parts/pages';
import { useData } from '../../use-call';
import { type Session, useSessions } from './session-data';
import { SessionTable } from './session-table';
import * as styles from './sessions.module.css';

const pageSize = 50;

export default function SessionsPage() {
  const { text, path } = useSessions();
  const { filter } = text;
  const [status, setStatus] = useState('');
  const [mode, setMode] = useState('');
  const place = usePlace();
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(status && { status }),
    ...(mode && { mode }),
    ...(place.after !== undefined && { after: place.after }),
  });
  const page = useData<{ sessions: readonly Session[]; next?: string }>(`${path}?${query}`);
  const choose = (set: (value: string) => void) => (value: string) => {
    place.first();
    set(value);
  };
  const options = (any: string, names: Readonly<Record<string, string>>) => [
    { value: '', label: any },
    ...Object.entries(names).map(([value, label]) => ({ value, label })),
  ];
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <Button look="secondary" onClick={page.reload}>
          {text.reload}
        </Button>
      }
    >
      <Filters>
        <Choice
          name="status"
          label={filter.status}
          value={status}
          onChange={({ currentTarget }) => choose(setStatus)(currentTarget.value)}
          options={options(filter.anyStatus, text.statuses)}
        />
        <Choice
          name="mode"
          label={filter.mode}
          value={mode}
          onChange={({ currentTarget }) => choose(setMode)(currentTarget.value)}
          options={options(filter.anyMode, text.modes)}
        />
      </Filters>
      <Loaded of={page}>
        {({ sessions, next }) => (
          <>
            {sessions.length === 0 ? (
              <Message text={status || mode ? text.noneOfFilter : text.none} />
            ) : (
              <SessionTable
                sessions={sessions}
                nameOf={({ sessionId }) => (
                  <Link className={styles.link} to={`/console/sessions/${sessionId}`}>
                    <code>{sessionId}</code>
                  </Link>
                )}
              />
            )}
            <Pages place={place} next={next} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
