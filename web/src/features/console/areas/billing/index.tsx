import { Link } from 'gatsby';
import { useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { Loaded } from '../../parts/loaded';
import { Failure, Message } from '../../parts/message';
import { Block, Page } from '../../parts/page';
import { Table } from '../../parts/table';
import { type AccountData, useAccountData } from '../../state/account-data';
import { useAccount } from '../../state/context';
import { monthName } from '../../state/months';
import { useAction, useData } from '../../state/use-call';
import { formatAmount, type InvoiceSummary } from './billing-data';
import { CurrentPlan } from './current-plan';
import { PlanTable } from './plan-table';

export default function BillingPage() {
  const { words, refresh } = useAccount();
  const { title, lead } = words.billing;
  const account = useAccountData();
  const [outcome, setOutcome] = useState('');
  const changed = (sentence: string) => {
    setOutcome(sentence);
    account.reload();
    // The frame and other pages read the plan from the profile.
    void refresh();
  };
  return (
    <Page title={title} lead={lead}>
      <Loaded of={account}>
        {(data) => (
          <>
            <CurrentPlan account={data} onChange={() => changed('')} />
            <PlanTable account={data} outcome={outcome} onChange={changed} />
            <Payment account={data} />
          </>
        )}
      </Loaded>
      <Invoices />
    </Page>
  );
}

/** The page of Stripe for cards and receipts, once the account has paid there. */
function Payment({ account: { accountId, paysByStripe } }: { account: AccountData }) {
  const { words, api } = useAccount();
  const { payment } = words.billing;
  const open = useAction(async () => {
    const { url } = await api.call<{ url: string }>('POST', `/accounts/${accountId}/billing-portal`, {});
    window.location.assign(url);
  });
  if (paysByStripe === undefined) return null;
  return (
    <Block title={payment.title}>
      <p>{paysByStripe ? payment.active : payment.ended}</p>
      <Failure error={open.error} />
      <div>
        <Button look="secondary" aria-busy={open.isBusy || undefined} onClick={() => void open.run()}>
          {payment.open}
        </Button>
      </div>
    </Block>
  );
}

function Invoices() {
  const { words, account } = useAccount();
  const { invoices: text, statuses } = words.billing;
  const list = useData<{ invoices: readonly InvoiceSummary[] }>(`/accounts/${account.accountId}/invoices`);
  return (
    <Block title={text.title}>
      <Loaded of={list}>
        {({ invoices }) =>
          invoices.length === 0 ? (
            <Message text={text.none} />
          ) : (
            <Table label={text.title} columns={[text.number, text.month, text.total, text.status]}>
              {invoices.map(({ number, month, total, currency, status }) => (
                <tr key={number}>
                  <th scope="row">
                    <Link to={`/console/billing/invoices/${month}`}>{number}</Link>
                  </th>
                  <td>{monthName(month)}</td>
                  <td>{formatAmount(total, currency)}</td>
                  <td>{statuses[status]}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </Block>
  );
}
