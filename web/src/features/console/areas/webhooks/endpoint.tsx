import { navigate } from 'gatsby';
import { useState } from 'react';
import { BackLink } from '../../../../components/ui/back-link';
import { Button } from '../../../../components/ui/button';
import { Confirm, Dialog } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Failure, Message } from '../../parts/message';
import { Block, Page } from '../../parts/page';
import { Time } from '../../parts/time';
import type { Params } from '../../state/params';
import { useAction, useData } from '../../state/use-call';
import { EndpointStatus } from '.';
import { Deliveries } from './deliveries';
import { type Endpoint, useWebhooks } from './endpoint-data';
import { EndpointForm, type Settings } from './endpoint-form';
import { RollSecret } from './roll-secret';
import { TestEvent } from './test-event';

export default function WebhooksEndpointPage({ params: { webhook = '' } }: { params: Params }) {
  const { words, webhooks } = useWebhooks();
  const { endpointTitle, title, missing } = words.webhooks;
  const endpoints = useData<readonly Endpoint[]>(webhooks);
  return (
    <>
      <BackLink to="/console/webhooks" label={title} />
      <Page title={endpointTitle}>
        <Loaded of={endpoints}>
          {(list) => {
            const endpoint = list.find(({ webhookId }) => webhookId === webhook);
            if (!endpoint) return <Message text={missing} />;
            return <EndpointParts endpoint={endpoint} onChange={endpoints.reload} />;
          }}
        </Loaded>
      </Page>
    </>
  );
}

interface EndpointProps {
  endpoint: Endpoint;
  onChange(): void;
}

const EndpointParts = ({ endpoint, onChange }: EndpointProps) => (
  <>
    <SettingsBlock endpoint={endpoint} onChange={onChange} />
    <Deliveries endpoint={endpoint} />
    <DangerBlock endpoint={endpoint} />
  </>
);

type Open = 'edit' | 'roll' | 'test';

function SettingsBlock({ endpoint, onChange }: EndpointProps) {
  const { words, mayChange } = useWebhooks();
  const { settings, fields, modes, types, failureChoices, edit, roll, test } = words.webhooks;
  const [open, setOpen] = useState<Open>();
  const { url, mode, type, onFailure, events, createdAt, earlierSecretsSignUntil = [] } = endpoint;
  const latest = earlierSecretsSignUntil.at(-1);
  const close = () => setOpen(undefined);
  return (
    <Block
      title={settings}
      actions={
        mayChange && (
          <>
            <Button onClick={() => setOpen('test')}>{test.open}</Button>
            <Button look="secondary" onClick={() => setOpen('edit')}>
              {edit.open}
            </Button>
            <Button look="secondary" onClick={() => setOpen('roll')}>
              {roll.open}
            </Button>
            <Switch endpoint={endpoint} onChange={onChange} />
          </>
        )
      }
    >
      <Facts
        facts={[
          [fields.url, url],
          endpoint.urlHidden === true && [fields.urlRest, fields.urlHidden],
          [fields.status, <EndpointStatus key="status" endpoint={endpoint} />],
          endpoint.disabledAt !== undefined && [
            fields.disabledAt,
            <Time key="at" at={endpoint.disabledAt} />,
          ],
          [fields.events, events.join(', ')],
          [fields.mode, modes[mode]],
          [fields.type, types[type]],
          type === 'sync' && [fields.onFailure, failureChoices[onFailure ?? 'continue']],
          [fields.id, <code key="id">{endpoint.webhookId}</code>],
          [fields.createdAt, <Time key="created" at={createdAt} />],
          latest !== undefined && [fields.earlierSecret, <Time key="latest" at={latest} />],
        ]}
      />
      {open === 'edit' && <Edit endpoint={endpoint} onChange={onChange} onClose={close} />}
      {open === 'roll' && <RollSecret endpoint={endpoint} onChange={onChange} onClose={close} />}
      {open === 'test' && <TestEvent endpoint={endpoint} onClose={close} />}
    </Block>
  );
}

/** Disables the endpoint, or enables it. */
function Switch({ endpoint: { webhookId, disabledAt }, onChange }: EndpointProps) {
  const { words, api, webhooks } = useWebhooks();
  const { enable, disable } = words.webhooks;
  const change = useAction(async (verb: 'enable' | 'disable') => {
    await api.call('POST', `${webhooks}/${webhookId}/${verb}`, {});
    onChange();
  });
  return (
    <>
      <Button
        look="secondary"
        aria-busy={change.isBusy || undefined}
        onClick={() => void change.run(disabledAt ? 'enable' : 'disable')}
      >
        {disabledAt ? enable : disable}
      </Button>
      <Failure error={change.error} />
    </>
  );
}

function Edit({ endpoint, onChange, onClose }: EndpointProps & { onClose(): void }) {
  const { words, api, webhooks } = useWebhooks();
  const { edit } = words.webhooks;
  const save = useAction(async (settings: Settings) => {
    await api.call('PATCH', `${webhooks}/${endpoint.webhookId}`, settings);
    onChange();
    onClose();
  });
  return (
    <Dialog title={edit.title} onClose={onClose}>
      <EndpointForm action={edit.action} endpoint={endpoint} on={save} />
    </Dialog>
  );
}

function DangerBlock({ endpoint: { webhookId, url } }: Pick<EndpointProps, 'endpoint'>) {
  const { words, api, webhooks, mayChange } = useWebhooks();
  const { remove } = words.webhooks;
  const [isOpen, setOpen] = useState(false);
  if (!mayChange) return null;
  return (
    <Block title={remove.title}>
      <p>{remove.text}</p>
      <div>
        <Button look="danger" onClick={() => setOpen(true)}>
          {remove.action}
        </Button>
      </div>
      {isOpen && (
        <Confirm
          title={remove.title}
          text={remove.text}
          action={remove.action}
          name={new URL(url).host}
          onConfirm={async () => {
            await api.call('DELETE', `${webhooks}/${webhookId}`, {});
            await navigate('/console/webhooks');
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Block>
  );
}
