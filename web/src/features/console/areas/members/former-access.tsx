import { useState } from 'react';
import { fill } from '../../../../fill';
import { Confirm } from '../../parts/dialog';
import { Block } from '../../parts/page';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { type Role, useAccount } from '../../state/context';
import type { Loaded } from '../../state/use-call';

/** A person who left the account, without an email address, or whose role changed. */
export interface FormerAccessOf {
  readonly userId: string;
  readonly email?: string;
  readonly role?: Role;
  readonly keys: readonly {
    readonly keyId: string;
    readonly name?: string;
    readonly lastUsedAt?: string;
  }[];
  readonly webhooks: readonly { readonly webhookId: string; readonly url: string }[];
}

interface FormerAccessProps {
  of: Pick<Loaded<{ people: readonly FormerAccessOf[] }>, 'data' | 'reload'>;
  /** Path of the calls about former access. */
  path: string;
}

/** The keys and endpoints that outlive the rights of their creators, with a button that revokes all of a person. */
export function FormerAccess({ of: { data, reload }, path }: FormerAccessProps) {
  const { words, api } = useAccount();
  const { table, roles, formerAccess: text } = words.members;
  const [revoking, setRevoking] = useState<FormerAccessOf>();
  const people = data?.people ?? [];
  const nameOf = ({ userId, email }: FormerAccessOf) => email ?? fill(text.formerMember, { userId });
  const revoke = async ({ userId }: FormerAccessOf) => {
    await api.call('DELETE', `${path}/${userId}`, {});
    reload();
  };
  if (people.length === 0) return null;
  return (
    <Block title={text.title}>
      <p>{text.text}</p>
      <Table label={text.title} columns={[text.creator, table.role, text.keys, text.webhooks, table.actions]}>
        {people.map((person) => (
          <tr key={person.userId}>
            <th scope="row">{nameOf(person)}</th>
            <td>{person.role ? roles[person.role].label : text.none}</td>
            <td>
              {person.keys.map(({ keyId, name, lastUsedAt }) => (
                <div key={keyId}>
                  {name} <code>{keyId}</code> {lastUsedAt && <Time at={lastUsedAt} />}
                </div>
              ))}
            </td>
            <td>
              {person.webhooks.map(({ webhookId, url }) => (
                <div key={webhookId}>{url}</div>
              ))}
            </td>
            <td>
              <RowButton label={text.revoke} of={nameOf(person)} onClick={() => setRevoking(person)} />
            </td>
          </tr>
        ))}
      </Table>
      {revoking && (
        <Confirm
          title={fill(text.confirm, { person: nameOf(revoking) })}
          text={text.confirmText}
          action={text.revoke}
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Block>
  );
}
