import type { ListedEndpoint } from '@presenza/contract/console/types.d.ts';
import { navigate } from 'gatsby';
import { useState } from 'react';
import { BackLink } from '../../../../components/ui/back-link';
import { Button } from '../../../../components/ui/button';
import { CopiedId } from '../../parts/copied-id';
import { Confirm, Dialog } from '../../parts/dialog';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Failure, Message } from '../../parts/message';
import { Block, Page } from '../../parts/page';
import { Time } from '../../parts/time';
import { dataOf } from '../../state/api';
import type { Params } from '../../state/params';
import { usePrompts } from '../../state/prompts';
import { useAction, useData, useReload } from '../../state/queries';
import { EndpointStatus } from '.';
import { Deliveries } from './deliveries';
import { EndpointForm, type Settings } from './endpoint-form';
import { RollSecret } from './roll-secret';
import { TestEvent } from './test-event';
import { useWebhooks } from './use-webhooks';

export default function WebhooksEndpointPage({ params: { webhook = '' } }: { params: Params }) {
  const { texts, account } = useWebhooks();
  const { endpointTitle, title, missing } = texts.webhooks;
  const endpoints = useData('/accounts/{account}/webhooks', { path: { account } });
  return (
    <>
      <BackLink to="/console/webhooks" label={title} />
      <Page title={endpointTitle}>
        <Loaded query={endpoints}>
          {(list) => {
            const endpoint = list.find(({ webhookId }) => webhookId === webhook);
            if (!endpoint) return <Message text={missing} />;
            return <EndpointParts endpoint={endpoint} />;
          }}
        </Loaded>
      </Page>
    </>
  );
}

interface EndpointProps {
  endpoint: ListedEndpoint;
}

function EndpointParts({ endpoint }: EndpointProps) {
  const { may } = useWebhooks();
  const [open, setOpen] = useState<Open>();
  return (
    <>
      <SettingsBlock endpoint={endpoint} open={open} onOpen={setOpen} />
      <Deliveries endpoint={endpoint} onTest={may('webhooksTest') ? () => setOpen('test') : undefined} />
      <DangerBlock endpoint={endpoint} />
    </>
  );
}

type Open = 'edit' | 'roll' | 'test';

interface SettingsBlockProps extends EndpointProps {
  /** The open dialog. */
  open: Open | undefined;
  onOpen(dialog: Open | undefined): void;
}

function SettingsBlock({ endpoint, open, onOpen: setOpen }: SettingsBlockProps) {
  const { texts, may } = useWebhooks();
  const { settings, fields, modes, types, failureChoices, edit, roll, test } = texts.webhooks;
  const { url, mode, type, onFailure, events, createdAt, earlierSecretsSignUntil = [] } = endpoint;
  const latest = earlierSecretsSignUntil.at(-1);
  const close = () => setOpen(undefined);
  return (
    <Block
      title={settings}
      actions={
        may('webhooksUpdate') && (
          <>
            <Button onClick={() => setOpen('test')}>{test.open}</Button>
            <Button variant="secondary" onClick={() => setOpen('edit')}>
              {edit.open}
            </Button>
            <Button variant="secondary" onClick={() => setOpen('roll')}>
              {roll.open}
            </Button>
            <Switch endpoint={endpoint} />
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
          [fields.id, <CopiedId key="id" id={endpoint.webhookId} />],
          [fields.createdAt, <Time key="created" at={createdAt} />],
          latest !== undefined && [fields.earlierSecret, <Time key="latest" at={latest} />],
        ]}
      />
      {open === 'edit' && <Edit endpoint={endpoint} onClose={close} />}
      {open === 'roll' && <RollSecret endpoint={endpoint} onClose={close} />}
      {open === 'test' && <TestEvent endpoint={endpoint} onClose={close} />}
    </Block>
  );
}

/** Disables the endpoint, or enables it. */
function Switch({ endpoint: { webhookId, disabledAt } }: EndpointProps) {
  const { texts, api, account } = useWebhooks();
  const reload = useReload();
  const { notify } = usePrompts();
  const { enable, disable, switched } = texts.webhooks;
  const set = async (isOn: boolean) => {
    const params = { path: { account, webhook: webhookId } };
    await dataOf(
      isOn
        ? api.POST('/accounts/{account}/webhooks/{webhook}/enable', { params })
        : api.POST('/accounts/{account}/webhooks/{webhook}/disable', { params }),
    );
    reload('/accounts/{account}/webhooks');
  };
  const change = useAction(async () => {
    const isOn = disabledAt !== undefined;
    await set(isOn);
    notify(isOn ? switched.on : switched.off, () => set(!isOn));
  });
  return (
    <>
      <Button variant="secondary" aria-busy={change.isPending || undefined} onClick={() => change.run()}>
        {disabledAt ? enable : disable}
      </Button>
      <Failure error={change.error} />
    </>
  );
}

function Edit({ endpoint, onClose }: EndpointProps & { onClose(): void }) {
  const { texts, api, account } = useWebhooks();
  const { edit } = texts.webhooks;
  const reload = useReload();
  const save = async (body: Settings) => {
    const params = { path: { account, webhook: endpoint.webhookId } };
    await dataOf(api.PATCH('/accounts/{account}/webhooks/{webhook}', { params, body }));
    reload('/accounts/{account}/webhooks');
    onClose();
  };
  return (
    <Dialog title={edit.title} onClose={onClose}>
      <EndpointForm action={edit.action} endpoint={endpoint} onSubmit={save} />
    </Dialog>
  );
}

function DangerBlock({ endpoint: { webhookId, url } }: Pick<EndpointProps, 'endpoint'>) {
  const { texts, api, account, may } = useWebhooks();
  const { remove } = texts.webhooks;
  const [isOpen, setOpen] = useState(false);
  if (!may('webhooksDelete')) return null;
  return (
    <Block title={remove.title}>
      <p>{remove.text}</p>
      <div>
        <Button variant="danger" onClick={() => setOpen(true)}>
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
            const params = { path: { account, webhook: webhookId } };
            await dataOf(api.DELETE('/accounts/{account}/webhooks/{webhook}', { params }));
            await navigate('/console/webhooks');
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </Block>
  );
}
