import type { KeyMode, UsageVerification } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Button, ButtonLink } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { groups } from '../../state/account-data';
import { dataOf, ledgerAddress } from '../../state/api';
import { useAccount } from '../../state/context';
import { useAction } from '../../state/queries';

/** The ledger of a month: whether it adds up to the counters, and its entries as files. */
export function Ledger({ month, mode }: { month: string; mode: KeyMode }) {
  const { texts, api, apiUrl, account, may } = useAccount();
  const { ledger, groups: labels } = texts.usage;
  const [verification, setVerification] = useState<UsageVerification>();
  const path = { account: account.accountId };
  const verify = useAction(async () => {
    setVerification(undefined);
    const params = { path, query: { month, mode } };
    setVerification(await dataOf(api.GET('/accounts/{account}/usage/verification', { params })));
  });
  const addressOf = (format: 'csv' | 'ndjson') => ledgerAddress(apiUrl, { path, query: { month, format } });
  return (
    <Block
      title={ledger.title}
      actions={
        <>
          <Button variant="secondary" aria-busy={verify.isPending || undefined} onClick={() => verify.run()}>
            {ledger.verify}
          </Button>
          {may('usageExport') && (
            <>
              <ButtonLink variant="secondary" to={addressOf('csv')}>
                {ledger.csv}
              </ButtonLink>
              <ButtonLink variant="secondary" to={addressOf('ndjson')}>
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
        {verification && (
          <>
            <p>{verification.matches ? ledger.matches : ledger.differs}</p>
            <ul>
              {groups.map((group) => (
                <li key={group}>
                  {fill(ledger.sum, {
                    group: labels[group],
                    ledger: verification.ledger[group],
                    counted: verification.counters[group],
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
