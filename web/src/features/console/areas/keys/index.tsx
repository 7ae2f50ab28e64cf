import type { Key } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { CopiedId } from '../../parts/copied-id';
import { Loaded } from '../../parts/loaded';
import { Empty } from '../../parts/message';
import { Page } from '../../parts/page';
import { RowButton, RowButtons } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useCommandedTask } from '../../state/commanded-task';
import { useData } from '../../state/queries';
import { CreateKey } from './create-key';
import { nameOf, statusOf, useKeys } from './key-data';
import * as styles from './keys.module.css';
import { RevokeKey } from './revoke-key';
import { RollKey } from './roll-key';

type Open = { readonly create: true } | { readonly roll: Key } | { readonly revoke: Key };

export default function KeysPage() {
  const { texts, account, may } = useKeys();
  const { title, lead, create, none } = texts.keys;
  const keys = useData('/accounts/{account}/keys', { path: { account } });
  const mayChange = may('keysRoll') && may('keysRevoke');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const start = () => setOpen({ create: true });
  const mayCreate = may('keysCreate');
  useCommandedTask(() => mayCreate && start());
  return (
    <Page
      title={title}
      lead={lead}
      actions={mayCreate && keys.data?.length !== 0 && <Button onClick={start}>{create.open}</Button>}
    >
      <Loaded query={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={none.title} text={mayCreate ? none.text : none.readOnly}>
              {mayCreate && <Button onClick={start}>{create.open}</Button>}
            </Empty>
          ) : (
            <KeyTable list={[...list].reverse()} onOpen={mayChange ? setOpen : undefined} />
          )
        }
      </Loaded>
      {open && 'create' in open && <CreateKey onClose={close} />}
      {open && 'roll' in open && <RollKey apiKey={open.roll} onClose={close} />}
      {open && 'revoke' in open && <RevokeKey apiKey={open.revoke} keys={keys.data ?? []} onClose={close} />}
    </Page>
  );
}

interface KeyTableProps {
  /** Newest first. */
  list: readonly Key[];
  onOpen: ((open: Open) => void) | undefined;
}

function KeyTable({ list, onOpen }: KeyTableProps) {
  const { table, title, modes, roll, revocation } = useKeys().texts.keys;
  const columns = [
    table.name,
    table.mode,
    table.status,
    table.limits,
    table.expires,
    table.lastUsed,
    ...(onOpen ? [table.actions] : []),
  ];
  return (
    <Table label={title} columns={columns}>
      {list.map((key) => (
        <tr key={key.keyId}>
          <th scope="row">
            {key.name && <span className={styles.name}>{key.name}</span>}
            <span className={styles.id}>
              <CopiedId id={key.keyId} />
            </span>
            {key.createdByKey && (
              <div className={styles.id}>{fill(table.createdByKey, { key: key.createdByKey })}</div>
            )}
          </th>
          <td>{modes[key.mode]}</td>
          <td>
            <KeyStatusMark apiKey={key} />
          </td>
          <td className={styles.limits}>
            <Limits apiKey={key} />
          </td>
          <td>{key.expiresAt ? <Time at={key.expiresAt} /> : table.never}</td>
          <td>{key.lastUsedAt ? <Time at={key.lastUsedAt} /> : table.never}</td>
          {onOpen && (
            <td>
              {key.state === 'active' && (
                <RowButtons>
                  {key.rolledTo === undefined && (
                    <RowButton label={roll.open} row={nameOf(key)} onClick={() => onOpen({ roll: key })} />
                  )}
                  <RowButton
                    label={revocation.open}
                    row={nameOf(key)}
                    onClick={() => onOpen({ revoke: key })}
                  />
                </RowButtons>
              )}
            </td>
          )}
        </tr>
      ))}
    </Table>
  );
}

function KeyStatusMark({ apiKey }: { apiKey: Key }) {
  const { statuses } = useKeys().texts.keys;
  const status = statusOf(apiKey);
  return <Status status={apiKey.state === 'active' ? 'reached' : 'none'} label={statuses[status]} />;
}

/** The products and the addresses of a key, if it is limited. */
function Limits({ apiKey: { products, cidrs } }: { apiKey: Key }) {
  const { products: names, table } = useKeys().texts.keys;
  if (!products && !cidrs) return table.unlimited;
  return (
    <>
      {products?.map((product) => names[product]).join(', ')}
      {products && cidrs && <br />}
      {cidrs && <code>{cidrs.join(', ')}</code>}
    </>
  );
}
