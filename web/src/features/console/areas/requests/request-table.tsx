import type { LoggedRequest } from '@presenza/contract/console/types.d.ts';
import { CopyButton } from '../../../../components/code/copy-button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { errorAddress } from '../../parts/error-address';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import * as styles from './requests.module.css';

interface RequestTableProps {
  requests: readonly LoggedRequest[];
  nameOfKey(keyId: string): string;
}

export function RequestTable({ requests, nameOfKey }: RequestTableProps) {
  const { requests: texts } = useConsole().texts;
  const { table } = texts;
  return (
    <Table
      label={texts.title}
      columns={[table.request, table.status, table.time, table.ms, table.key, table.requestId]}
    >
      {requests.map((request) => (
        <tr key={`${request.requestId} ${request.at}`}>
          <th scope="row">
            <code className={styles.request}>
              {request.method} {request.path}
            </code>
          </th>
          <td>
            <Status status={request.status < 400 ? 'reached' : 'missed'} label={String(request.status)} />
            {request.code !== undefined && <Code code={request.code} />}
          </td>
          <td>
            <Time at={request.at} />
          </td>
          <td className={styles.whole}>{fill(texts.ms, { ms: request.ms })}</td>
          <td>
            {nameOfKey(request.keyId)} ({texts[request.mode]})
          </td>
          <td>
            <span className={styles.id}>
              <code>{request.requestId}</code>
              <CopyButton read={() => request.requestId} />
            </span>
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** An error code with a link to its documentation. */
function Code({ code }: { code: string }) {
  const address = errorAddress(code);
  return address === undefined ? (
    <code className={styles.code}>{code}</code>
  ) : (
    <a className={styles.code} href={address}>
      <code>{code}</code>
    </a>
  );
}
