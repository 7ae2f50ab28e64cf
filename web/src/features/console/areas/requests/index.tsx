/** The log of the account's requests, where the `requestLogUrl` of errors leads. */
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Filter, Filters, Find } from '../../parts/filters';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { Page } from '../../parts/page';
import { useAccount } from '../../state/context';
import { useData } from '../../state/use-call';
import { MissingRequest } from './missing-request';
import { type LoggedRequest, RequestTable } from './request-table';

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
  const keys = useData<readonly Key[]>(`${path}/keys`);
  const list = useList<LoggedRequest>(`${path}/requests`, 'requests', { requestId, key, failed });
  const nameOfKey = (keyId: string) =>
    keyId === 'console' ? words.playground : (keys.data?.find((one) => one.keyId === keyId)?.name ?? keyId);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Button look="secondary" onClick={list.reload}>
          {words.reload}
        </Button>
      }
    >
      <Find
        name="requestId"
        label={filter.requestId}
        action={filter.find}
        all={filter.all}
        value={requestId}
        onFind={setRequestId}
        maxLength={128}
        pattern="\s*[\w.:\-]*\s*"
        spellCheck={false}
      />
      <Filters>
        <Filter
          name="key"
          label={filter.key}
          value={key}
          onChoose={setKey}
          options={[
            ['', filter.anyKey],
            ...(keys.data ?? []).map(({ keyId, name = keyId }) => [keyId, name] as const),
            ['console', words.playground],
          ]}
        />
        <Filter
          name="failed"
          label={filter.outcome}
          value={failed}
          onChoose={setFailed}
          options={[
            ['', filter.any],
            ['true', filter.failed],
            ['false', filter.passed],
          ]}
        />
      </Filters>
      <ListPage
        of={list}
        none={
          requestId ? (
            <MissingRequest requestId={requestId} />
          ) : (
            <Message text={key || failed ? words.noneOfFilter : words.none} />
          )
        }
      >
        {(requests) => <RequestTable requests={requests} nameOfKey={nameOfKey} />}
      </ListPage>
    </Page>
  );
}
