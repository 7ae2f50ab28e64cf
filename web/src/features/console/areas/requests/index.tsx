/** The log of the account's requests, where the `requestLogUrl` of errors leads. */
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Filter, Filters, Find } from '../../parts/filters';
import { ListPage, useList } from '../../parts/list';
import { Message } from '../../parts/message';
import { Page } from '../../parts/page';
import { useAccount } from '../../state/context';
import { useData } from '../../state/queries';
import { MissingRequest } from './missing-request';
import { RequestTable } from './request-table';

export default function RequestsPage() {
  const { texts: all, account } = useAccount();
  const texts = all.requests;
  const { filter } = texts;
  const path = { account: account.accountId };
  const [requestId, setRequestId] = useState(
    () => new URLSearchParams(window.location.search).get('requestId') ?? '',
  );
  const [key, setKey] = useState('');
  const [failed, setFailed] = useState<'' | 'true' | 'false'>('');
  const keys = useData('/accounts/{account}/keys', { path });
  const query = {
    requestId: requestId || undefined,
    key: key || undefined,
    failed: failed ? failed === 'true' : undefined,
  };
  const list = useList('/accounts/{account}/requests', { name: 'requests', params: { path, query } });
  const nameOfKey = (keyId: string) =>
    keyId === 'console' ? texts.playground : (keys.data?.find((key) => key.keyId === keyId)?.name ?? keyId);
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button variant="secondary" onClick={() => void list.refetch()}>
          {texts.reload}
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
            ['console', texts.playground],
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
        list={list}
        none={
          requestId ? (
            <MissingRequest requestId={requestId} />
          ) : (
            <Message text={key || failed ? texts.noneOfFilter : texts.none} />
          )
        }
      >
        {(requests) => <RequestTable requests={requests} nameOfKey={nameOfKey} />}
      </ListPage>
    </Page>
  );
}
