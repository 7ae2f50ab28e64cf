import { CopyButton } from '../../../../components/code/copy-button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { errorAddress } from '../../parts/error-address';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import * as styles from './requests.module.css';

export interface LoggedRequest {
  readonly requestId: string;
  readonly at: string;
  readonly keyId: string;
  readonly mode: 'live' | 'test';
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code?: string;
  readonly ms: number;
}

interface RequestTableProps {
  requests: readonly LoggedRequest[];
  nameOfKey(keyId: string): string;
}

export function RequestTable({ requests, nameOfKey }: RequestTableProps) {
  const { requests: words } = useConsole().words;
  const { table } = words;
  return (
    <Table
      label={words.title}
      columns={[table.request, table.status, table.time, table.ms, table.key, table.requestId]}
    >
      {requests.map((one) => (
        <tr key={`${one.requestId} ${one.at}`}>
          <th scope="row">
            <code className={styles.request}>
              {one.method} {one.path}
            </code>
          </th>
          <td>
            <Status status={one.status < 400 ? 'reached' : 'missed'} label={String(one.status)} />
            {one.code !== undefined && <Code code={one.code} />}
          </td>
          <td>
            <Time at={one.at} />
          </td>
          <td className={styles.whole}>{fill(words.ms, { ms: one.ms })}</td>
          <td>
            {nameOfKey(one.keyId)} ({words[one.mode]})
          </td>
          <td>
            <span className={styles.id}>
              <code>{one.requestId}</code>
              <CopyButton read={() => one.requestId} />
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
