/** One liveness session: its data, what happened, and what members may do about it. */
import { navigate } from 'gatsby';
import { useState } from 'react';
import { BackLink } from '../../../../components/ui/back-link';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { Time } from '../../parts/time';
import { useData } from '../../state/use-call';
import { AuditImage } from './audit-image';
import { isFinal, looks, type SessionWithTimeline, useSessions } from './session-data';
import { Timeline } from './timeline';

export default function SessionPage({ params }: { params: Readonly<Record<string, string>> }) {
  const { text, path, mayChange, isOwner, api } = useSessions();
  const own = `${path}/${encodeURIComponent(params.session ?? '')}`;
  const session = useData<SessionWithTimeline>(own);
  const [asked, setAsked] = useState<'cancel' | 'erase'>();
  const confirmed = {
    cancel: async () => {
      await api.call('POST', `${own}/cancel`, {});
      session.reload();
    },
    erase: async () => {
      await api.call('DELETE', own);
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
          mayChange && (
            <>
              {!isFinal(data.status) && (
                <Button look="secondary" onClick={() => setAsked('cancel')}>
                  {text.cancel.action}
                </Button>
              )}
              <Button look="danger" onClick={() => setAsked('erase')}>
                {text.erase.action}
              </Button>
            </>
          )
        }
      >
        <Loaded of={session}>
          {(found) => (
            <>
              <SessionFacts session={found} />
              <Timeline entries={found.timeline} />
              {isOwner && <AuditImage path={own} />}
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
  const { session: words } = text;
  const reason = session.timeline.findLast(({ event }) => event === 'session.failed')?.reason;
  return (
    <Facts
      facts={[
        [words.id, <code key="id">{session.sessionId}</code>],
        [
          words.status,
          <Status key="status" status={looks[session.status]} label={text.statuses[session.status]} />,
        ],
        reason && [words.failure, text.reasons[reason]],
        [words.mode, text.modes[session.mode]],
        [words.created, <Time key="created" at={session.createdAt} />],
        !isFinal(session.status) && [words.expires, <Time key="expires" at={session.expiresAt} />],
        session.dataExpiresAt !== undefined && [
          words.erased,
          <Time key="erased" at={session.dataExpiresAt} />,
        ],
        [words.key, <code key="key">{session.keyId}</code>],
        [
          words.attempts,
          fill(text.attempts, { begun: session.begunAttempts, failed: session.failedAttempts }),
        ],
        [words.reference, session.hasReference ? words.yes : words.no],
        session.consentNotice !== undefined && [words.notice, session.consentNotice],
        session.consentLocale !== undefined && [words.locale, session.consentLocale],
      ]}
    />
  );
}
