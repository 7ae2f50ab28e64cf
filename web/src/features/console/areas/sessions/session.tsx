/** One liveness session: its data, what happened, and what members may do about it. */
import type { SessionWithTimeline } from '@presenza/contract/console/types.d.ts';
import { navigate } from 'gatsby';
import { useState } from 'react';
import { BackLink } from '../../../../components/ui/back-link';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { Confirm } from '../../parts/dialog';
import { ExactTime } from '../../parts/exact-time';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Block, Page } from '../../parts/page';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import type { Params } from '../../state/params';
import { useData } from '../../state/queries';
import { playgroundKeyId, useKeyNames } from '../requests/request-data';
import { AuditImage } from './audit-image';
import { isFinal, looks, useSessions } from './session-data';
import { SessionResult } from './session-result';
import { Timeline } from './timeline';

export default function SessionPage({ params: { session: id = '' } }: { params: Params }) {
  const { text, account, may, api } = useSessions();
  const params = { path: { account, session: id } };
  const session = useData('/accounts/{account}/sessions/{session}', params);
  const [asked, setAsked] = useState<'cancel' | 'erase'>();
  const confirmed = {
    cancel: async () => {
      await dataOf(api.POST('/accounts/{account}/sessions/{session}/cancel', { params }));
      void session.refetch();
    },
    erase: async () => {
      await dataOf(api.DELETE('/accounts/{account}/sessions/{session}', { params }));
      await navigate('/console/sessions');
    },
  };
  const { data } = session;
  return (
    <>
      <BackLink to="/console/sessions" label={text.title} />
      <Page
        title={text.session.title}
        actions={
          data &&
          (may('sessionsCancel') || may('sessionsErase')) && (
            <>
              {may('sessionsCancel') && !isFinal(data.status) && (
                <Button variant="secondary" onClick={() => setAsked('cancel')}>
                  {text.cancel.action}
                </Button>
              )}
              {may('sessionsErase') && (
                <Button variant="danger" onClick={() => setAsked('erase')}>
                  {text.erase.action}
                </Button>
              )}
            </>
          )
        }
      >
        <Loaded query={session}>
          {(loaded) => (
            <>
              <SessionResult session={loaded} />
              <SessionFacts session={loaded} />
              <Timeline steps={loaded.timeline} />
              {may('sessionsAuditImage') && <AuditImage session={id} />}
            </>
          )}
        </Loaded>
        {asked && (
          <Confirm {...text[asked]} onConfirm={confirmed[asked]} onClose={() => setAsked(undefined)} />
        )}
      </Page>
    </>
  );
}

function SessionFacts({ session }: { session: SessionWithTimeline }) {
  const { text } = useSessions();
  const { session: texts } = text;
  return (
    <Block title={texts.details}>
      <Facts
        facts={[
          [texts.id, <CopiedId key="id" id={session.sessionId} />],
          [
            texts.status,
            <Status key="status" status={looks[session.status]} label={text.statuses[session.status]} />,
          ],
          [texts.mode, text.modes[session.mode]],
          [texts.created, <ExactTime key="created" at={session.createdAt} zone />],
          !isFinal(session.status) && [texts.expires, <Time key="expires" at={session.expiresAt} />],
          session.dataExpiresAt !== undefined && [
            texts.erased,
            <Time key="erased" at={session.dataExpiresAt} />,
          ],
          [texts.key, <KeyOf key="key" keyId={session.keyId} />],
          [
            texts.attempts,
            fill(text.attempts, { begun: session.begunAttempts, failed: session.failedAttempts }),
          ],
          [texts.reference, session.hasReference ? texts.yes : texts.no],
          session.consentNotice !== undefined && [texts.notice, session.consentNotice],
          session.consentLocale !== undefined && [texts.locale, session.consentLocale],
        ]}
      />
    </Block>
  );
}

/** The name of the key that created the session, with its id. */
function KeyOf({ keyId }: { keyId: string }) {
  const { nameOfKey } = useKeyNames();
  const name = nameOfKey(keyId);
  if (keyId === playgroundKeyId || name === keyId) return name === keyId ? <CopiedId id={keyId} /> : name;
  return (
    <>
      {name} <CopiedId id={keyId} />
    </>
  );
}
