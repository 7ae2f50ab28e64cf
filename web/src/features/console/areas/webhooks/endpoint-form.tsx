import { useState } from 'react';
import { useEventTypes } from '../../events';
import { Checks, Choice, Field, Form } from '../../parts/form';
import { usePlans } from '../../plans';
import type { Action } from '../../use-call';
import { type Endpoint, useWebhooks } from './endpoint-data';

export type Settings = Pick<Endpoint, 'url' | 'events' | 'mode' | 'type' | 'onFailure'>;

interface EndpointFormProps {
  action: string;
  /** The settings so far. */
  endpoint?: Endpoint;
  on: Action<[Settings]>;
}

/** The settings of an endpoint. A plan without synchronous webhooks offers only the others. */
export function EndpointForm({ action, endpoint, on }: EndpointFormProps) {
  const { words, account } = useWebhooks();
  const { fields, modes, types, failureChoices, noSync } = words.webhooks;
  const { all, ofSessions } = useEventTypes();
  const includesSync = usePlans().some(
    ({ tier, allowSyncWebhook }) => tier === account.plan && allowSyncWebhook,
  );
  const [events, setEvents] = useState(endpoint?.events ?? ofSessions);
  const [type, setType] = useState(endpoint?.type ?? 'async');
  const offersSync = includesSync || endpoint?.type === 'sync';
  const send = {
    ...on,
    run: ({ url = '', mode, onFailure }: Readonly<Record<string, string>>) =>
      on.run({
        ...{ url, events, type, mode: mode as Settings['mode'] },
        ...(type === 'sync' && { onFailure: onFailure as 'continue' | 'reject' }),
      }),
  };
  return (
    <Form action={action} on={send}>
      <Field
        name="url"
        type="url"
        label={fields.url}
        hint={fields.urlHint}
        defaultValue={endpoint?.url}
        required
        autoComplete="off"
        maxLength={2048}
      />
      <Checks
        name="events"
        label={fields.events}
        options={all.map((value) => ({ value, label: value }))}
        chosen={events}
        onChange={setEvents}
      />
      <Choice
        name="mode"
        label={fields.mode}
        defaultValue={endpoint?.mode ?? 'both'}
        options={optionsOf(modes)}
      />
      {offersSync ? (
        <Choice
          name="type"
          label={fields.type}
          value={type}
          onChange={({ currentTarget }) => setType(currentTarget.value as Settings['type'])}
          options={optionsOf(types)}
        />
      ) : (
        <p>{noSync}</p>
      )}
      {type === 'sync' && (
        <Choice
          name="onFailure"
          label={fields.onFailure}
          defaultValue={endpoint?.onFailure ?? 'continue'}
          options={optionsOf(failureChoices)}
        />
      )}
    </Form>
  );
}

export const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
