import type { Endpoint, EndpointWithSecret } from '@presenza/contract/console/types.d.ts';
import { Link, navigate } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { Dialog } from '../../parts/dialog';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Page } from '../../parts/page';
import { Table } from '../../parts/table';
import { dataOf } from '../../state/api';
import { useCommandedTask } from '../../state/commanded-task';
import { useData } from '../../state/queries';
import { EndpointForm, type Settings } from './endpoint-form';
import { SecretDialog } from './secret-dialog';
import { useWebhooks } from './use-webhooks';
import * as styles from './webhooks.module.css';

export default function WebhooksPage() {
  const { texts, account, may } = useWebhooks();
  const { title, lead, add, none } = texts.webhooks;
  const endpoints = useData('/accounts/{account}/webhooks', { path: { account } });
  const [isAdding, setAdding] = useState(false);
  useCommandedTask(() => may('webhooksCreate') && setAdding(true));
  return (
    <Page
      title={title}
      lead={lead}
      actions={may('webhooksCreate') && <Button onClick={() => setAdding(true)}>{add.open}</Button>}
    >
      <Loaded query={endpoints}>
        {(list) =>
          list.length === 0 ? (
            <Message
              text={none}
              {...(may('webhooksCreate') && { action: add.open, onAction: () => setAdding(true) })}
            />
          ) : (
            <Endpoints list={list} />
          )
        }
      </Loaded>
      {isAdding && <Adding onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Endpoints({ list }: { list: readonly Endpoint[] }) {
  const { table, modes, types, allEvents, title } = useWebhooks().texts.webhooks;
  return (
    <Table label={title} columns={[table.url, table.status, table.mode, table.type, table.events]}>
      {list.map((endpoint) => (
        <tr key={endpoint.webhookId}>
          <th scope="row">
            <Link className={styles.address} to={`/console/webhooks/${endpoint.webhookId}`}>
              {endpoint.url}
            </Link>
          </th>
          <td>
            <EndpointStatus endpoint={endpoint} />
          </td>
          <td>{modes[endpoint.mode]}</td>
          <td>{types[endpoint.type]}</td>
          <td>{endpoint.events.join(', ') || allEvents}</td>
        </tr>
      ))}
    </Table>
  );
}

export function EndpointStatus({ endpoint: { disabledBecause } }: { endpoint: Endpoint }) {
  const { enabled, disabled } = useWebhooks().texts.webhooks;
  return disabledBecause ? (
    <Status status="none" label={disabled[disabledBecause]} />
  ) : (
    <Status status="reached" label={enabled} />
  );
}

/** Creates an endpoint, shows its secret once and leads to its page. */
function Adding({ onClose }: { onClose(): void }) {
  const { texts, api, account } = useWebhooks();
  const { add } = texts.webhooks;
  const [added, setAdded] = useState<EndpointWithSecret>();
  const create = async (body: Settings) =>
    setAdded(await dataOf(api.POST('/accounts/{account}/webhooks', { params: { path: { account } }, body })));
  if (added) {
    return (
      <SecretDialog
        title={add.done}
        secret={added.secret}
        onClose={() => void navigate(`/console/webhooks/${added.webhookId}`)}
      />
    );
  }
  return (
    <Dialog title={add.title} onClose={onClose}>
      <EndpointForm action={add.action} onSubmit={create} />
    </Dialog>
  );
}
