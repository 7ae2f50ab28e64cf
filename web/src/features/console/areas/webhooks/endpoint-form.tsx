import type { Endpoint, WebhookFailurePolicy, WebhookMode } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Checks, Choice, Field, Form } from '../../parts/form';
import { useEventTypes } from '../../state/events';
import { usePlans } from '../../state/plans';
import { useWebhooks } from './use-webhooks';

export type Settings = Pick<Endpoint, 'url' | 'events' | 'mode' | 'type' | 'onFailure'>;

/** The text of each field. */
interface Values {
  readonly url: string;
  readonly mode: WebhookMode;
  readonly onFailure: WebhookFailurePolicy;
}

interface EndpointFormProps {
  action: string;
  /** The settings so far. */
  endpoint?: Endpoint;
  /** @throws CallError, which the form shows */
  onSubmit(settings: Settings): Promise<unknown>;
}

/** The settings of an endpoint. A plan without synchronous webhooks offers only the others. */
export function EndpointForm({ action, endpoint, onSubmit }: EndpointFormProps) {
  const { texts, plan } = useWebhooks();
  const { fields, modes, types, failureChoices, noSync } = texts.webhooks;
  const { all, sessionEvents } = useEventTypes();
  const includesSync = usePlans().some(({ tier, allowSyncWebhook }) => tier === plan && allowSyncWebhook);
  const [events, setEvents] = useState(endpoint?.events ?? sessionEvents);
  const [type, setType] = useState(endpoint?.type ?? 'async');
  const offersSync = includesSync || endpoint?.type === 'sync';
  const submit = ({ url, mode, onFailure }: Values) =>
    onSubmit({ url, events, type, mode, ...(type === 'sync' && { onFailure }) });
  return (
    <Form action={action} onSubmit={submit}>
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
          defaultValue={endpoint?.onFailure ?? 'reject'}
          options={optionsOf(failureChoices)}
        />
      )}
    </Form>
  );
}

export const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));
