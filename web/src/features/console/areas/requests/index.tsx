/** The log of the account's requests, where the `requestLogUrl` of errors leads. */
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { useAccount } from '../../context';
import { Filters } from '../../parts/filters';
import { Choice, Field, Form } from '../../parts/form';
import { Loaded } from '../../parts/loaded';
import { Message } from '../../parts/message';
import { Page } from '../../parts/page';
import { Pages, usePlace } from '../../parts/pages';
import { useAction, useData } from '../../use-call';
import { MissingRequest } from './missing-request';
import { type LoggedRequest, RequestTable } from './request-table';
import * as styles from './requests.module.css';

const pageSize = 50;

interface Key {
  readonly keyId: string;
  readonly name?: string;
}

export default function RequestsPage() {
  const { words: all, account } = useAccount();
  const words = all.requests;
  const { filter } = words;
  const path = `/accounts/${account.accountId}`;
  const [requestId, setRequestId] = useState(
    () => new URLSearchParams(window.location.search).get('requestId') ?? '',
  );
  const [key, setKey] = useState('');
  const [failed, setFailed] = useState('');
  const place = usePlace();
  const keys = useData<readonly Key[]>(`${path}/keys`);
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(requestId && { requestId }),
    ...(key && { key }),
    ...(failed && { failed }),
    ...(place.after !== undefined && { after: place.after }),
  });
  const page = useData<{ requests: readonly LoggedRequest[]; next?: string }>(`${path}/requests?${query}`);
  const find = useAction(async (values: Readonly<Record<string, string>>) => {
    place.first();
    setRequestId(values.requestId?.trim() ?? '');
  });
  const choose = (set: (value: string) => void) => (value: string) => {
    place.first();
    set(value);
  };
  const nameOfKey = (keyId: string) =>
    keyId === 'console' ? words.playground : (keys.data?.find((one) => one.keyId === keyId)?.name ?? keyId);
  const isFiltered = Boolean(requestId || key || failed);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Button look="secondary" onClick={page.reload}>
          {words.reload}
        </Button>
      }
    >
      <div className={styles.find}>
        {/* Another id from the address, or none, starts the form anew. */}
        <Form
          key={requestId}
          action={filter.find}
          on={find}
          others={
            requestId && (
              <Button look="secondary" onClick={() => choose(setRequestId)('')}>
                {filter.all}
              </Button>
            )
          }
        >
          <Field
            name="requestId"
            label={filter.requestId}
            defaultValue={requestId}
            maxLength={128}
            pattern="\s*[\w.:\-]*\s*"
            autoComplete="off"
            spellCheck={false}
          />
        </Form>
      </div>
      <Filters>
        <Choice
          name="key"
          label={filter.key}
          value={key}
          onChange={({ currentTarget }) => choose(setKey)(currentTarget.value)}
          options={[
            { value: '', label: filter.anyKey },
            ...(keys.data ?? []).map(({ keyId, name = keyId }) => ({ value: keyId, label: name })),
            { value: 'console', label: words.playground },
          ]}
        />
        <Choice
          name="failed"
          label={filter.outcome}
          value={failed}
          onChange={({ currentTarget }) => choose(setFailed)(currentTarget.value)}
          options={[
            { value: '', label: filter.any },
            { value: 'true', label: filter.failed },
            { value: 'false', label: filter.passed },
          ]}
        />
      </Filters>
      <Loaded of={page}>
        {({ requests, next }) => (
          <>
            {requests.length > 0 ? (
              <RequestTable requests={requests} nameOfKey={nameOfKey} />
            ) : requestId ? (
              <MissingRequest requestId={requestId} />
            ) : (
              <Message text={isFiltered ? words.noneOfFilter : words.none} />
            )}
            <Pages place={place} next={next} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
