import type { AccountWithTerms } from '@presenza/contract/console/types.d.ts';
import { Link } from 'gatsby';
import { Button } from '../../../../components/ui/button';
import { Loaded } from '../../parts/loaded';
import { Empty, Failure } from '../../parts/message';
import { Block, Page } from '../../parts/page';
import { Table } from '../../parts/table';
import { useAccountData } from '../../state/account-data';
import { dataOf } from '../../state/api';
import { useAccount } from '../../state/context';
import { monthName } from '../../state/months';
import { useAction, useData } from '../../state/queries';
import { CurrentPlan } from './current-plan';
import { formatAmount } from './format-amount';
import { PlanTable } from './plan-table';

export default function BillingPage() {
  const { texts, refresh } = useAccount();
  const { title, lead } = texts.billing;
  const account = useAccountData();
  const changed = () => {
    void account.refetch();
    // The frame and other pages read the plan from the profile.
    void refresh();
  };
  return (
    <Page title={title} lead={lead}>
      <Loaded query={account}>
        {(data) => (
          <>
            <CurrentPlan account={data} onChange={changed} />
            <PlanTable account={data} onChange={changed} />
            <Payment account={data} />
          </>
        )}
      </Loaded>
      <Invoices />
    </Page>
  );
}

/** The page of Stripe for cards and receipts, once the account has paid there. */
function Payment({ account: { accountId, paysByStripe } }: { account: AccountWithTerms }) {
  const { texts, api } = useAccount();
  const { payment } = texts.billing;
  const open = useAction(async () => {
    const path = { account: accountId };
    const { url } = await dataOf(api.POST('/accounts/{account}/billing-portal', { params: { path } }));
    window.location.assign(url);
  });
  if (paysByStripe === undefined) return null;
  return (
    <Block title={payment.title}>
      <p>{paysByStripe ? payment.active : payment.ended}</p>
      <Failure error={open.error} />
      <div>
        <Button variant="secondary" aria-busy={open.isPending || undefined} onClick={() => open.run()}>
          {payment.open}
        </Button>
      </div>
    </Block>
  );
}

function Invoices() {
  const { texts, account } = useAccount();
  const { invoices: text, statuses } = texts.billing;
  const list = useData('/accounts/{account}/invoices', { path: { account: account.accountId } });
  return (
    <Block title={text.title}>
      <Loaded query={list}>
        {({ invoices }) =>
          invoices.length === 0 ? (
            <Empty {...text.none} />
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
