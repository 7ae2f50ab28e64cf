import type { LoggedRequest } from '@presenza/contract/console/types.d.ts';
import type { MouseEvent } from 'react';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { ExactTime } from '../../parts/exact-time';
import { formatMs } from '../../parts/quantities';
import { Table } from '../../parts/table';
import { useAddressQuery } from '../../state/address';
import { useConsole } from '../../state/context';
import { isFailed } from './request-data';
import { EntryPanel, type EntryPath, entryParameter, rowId } from './request-panel';
import * as styles from './requests.module.css';

interface RequestTableProps {
  requests: readonly LoggedRequest[];
  /** Where the API has one entry, and for whose account. */
  path: EntryPath;
  account: string;
  nameOfKey(keyId: string): string;
}

/** Requests as compact rows. Each opens its details in a panel, which has an address. */
export function RequestTable({ requests, path, account, nameOfKey }: RequestTableProps) {
  const { requests: texts } = useConsole().texts;
  const { table } = texts;
  const [query, change] = useAddressQuery();
  const open = query.get(entryParameter) ?? undefined;
  return (
    <div className={styles.log}>
      <Table label={texts.title} columns={[table.request, table.status, table.time, table.ms, table.key]}>
        {requests.map((request) => (
          <tr key={request.entryId} data-open={request.entryId === open}>
            <th scope="row">
              <RequestLink
                request={request}
                onOpen={(entryId) =>
                  change({ [entryParameter]: entryId }, open === undefined ? 'push' : 'replace')
                }
              />
            </th>
            <td className={styles.whole}>
              <RequestStatus request={request} />
            </td>
            <td>
              <ExactTime at={request.at} />
            </td>
            <td className={styles.duration}>{formatMs(request.ms)}</td>
            <td className={styles.key}>
              {fill(texts.detail.mode, {
                name: nameOfKey(request.keyId),
                mode: texts.modes[request.mode],
              })}
            </td>
          </tr>
        ))}
      </Table>
      {open !== undefined && (
        <EntryPanel
          entryId={open}
          requests={requests}
          path={path}
          account={account}
          nameOfKey={nameOfKey}
          onOpen={(entryId) => change({ [entryParameter]: entryId })}
          onClose={() => change({ [entryParameter]: undefined })}
        />
      )}
    </div>
  );
}

interface RequestLinkProps {
  request: LoggedRequest;
  onOpen(entryId: string): void;
}

/** A link, so that people can open the details in another tab. */
function RequestLink({ request: { entryId, method, path }, onOpen }: RequestLinkProps) {
  const query = new URLSearchParams(window.location.search);
  query.set(entryParameter, entryId);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen(entryId);
  };
  return (
    <a id={rowId(entryId)} className={styles.request} href={`?${query}`} onClick={open}>
      <code>
        <span className={styles.method}>{method}</span> {path}
      </code>
    </a>
  );
}

export const RequestStatus = ({ request }: { request: LoggedRequest }) => (
  <>
    <Status status={isFailed(request) ? 'missed' : 'reached'} label={String(request.status)} />
    {request.code !== undefined && <code className={styles.code}>{request.code}</code>}
  </>
);
