import { useState } from 'react';
import { Button, ButtonLink } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { type Group, groups } from '../../account-data';
import { type Role, useAccount } from '../../context';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { useAction } from '../../use-call';
import type { Mode } from './usage-data';

const payers: readonly Role[] = ['owner', 'billing'];

interface Verification {
  readonly matches: boolean;
  readonly counters: Readonly<Record<Group, number>>;
  readonly ledger: Readonly<Record<Group, number>>;
}

/** The ledger of a month: whether it adds up to the counters, and its entries as files. */
export function Ledger({ month, mode }: { month: string; mode: Mode }) {
  const { words, api, account } = useAccount();
  const { ledger, groups: labels } = words.usage;
  const [found, setFound] = useState<Verification>();
  const path = `/accounts/${account.accountId}`;
  const verify = useAction(async () => {
    setFound(undefined);
    setFound(await api.call<Verification>('GET', `${path}/usage/verification?month=${month}&mode=${mode}`));
  });
  const addressOf = (format: string) => api.addressOf(`${path}/ledger?month=${month}&format=${format}`);
  return (
    <Block
      title={ledger.title}
      actions={
        <>
          <Button look="secondary" aria-busy={verify.isBusy || undefined} onClick={() => void verify.run()}>
            {ledger.verify}
          </Button>
          {payers.includes(account.role) && (
            <>
              <ButtonLink look="secondary" to={addressOf('csv')}>
                {ledger.csv}
              </ButtonLink>
              <ButtonLink look="secondary" to={addressOf('ndjson')}>
                {ledger.ndjson}
              </ButtonLink>
            </>
          )}
        </>
      }
    >
      <p>{ledger.text}</p>
      <Failure error={verify.error} />
      <div role="status">
        {found && (
          <>
            <p>{found.matches ? ledger.matches : ledger.differs}</p>
            <ul>
              {groups.map((group) => (
                <li key={group}>
                  {fill(ledger.sum, {
                    ...{ group: labels[group], ledger: found.ledger[group], counted: found.counters[group] },
                  })}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Block>
  );
}
