import type { Invoice, InvoiceLine } from '@presenza/contract/console/types.d.ts';
import { formatCount } from '../../../../components/pricing/money';
import { BackLink } from '../../../../components/ui/back-link';
import { Button } from '../../../../components/ui/button';
import { Headings } from '../../../../components/ui/headings';
import { useSite } from '../../../../components/use-site';
import { fill } from '../../../../fill';
import { Facts } from '../../parts/facts';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import { Time } from '../../parts/time';
import { useAccount } from '../../state/context';
import { lastDayOf, monthName } from '../../state/months';
import type { Params } from '../../state/params';
import { usePlanName } from '../../state/plans';
import { useData } from '../../state/queries';
import * as styles from './billing.module.css';
import { formatAmount } from './format-amount';

/** An invoice for the screen and for paper. */
export default function BillingInvoicePage({ params: { month = '' } }: { params: Params }) {
  const { texts, account } = useAccount();
  const { title, invoice: text } = texts.billing;
  const invoice = useData('/accounts/{account}/invoices/{month}', {
    path: { account: account.accountId, month },
  });
  return (
    <>
      <BackLink to="/console/billing" label={title} />
      <Page
        title={text.title}
        actions={
          invoice.data && (
            <span className={styles.screen}>
              <Button onClick={() => window.print()}>{text.print}</Button>
            </span>
          )
        }
      >
        <Loaded query={invoice}>{(data) => <InvoiceSheet invoice={data} />}</Loaded>
      </Page>
    </>
  );
}

function InvoiceSheet({ invoice }: { invoice: Invoice }) {
  const { invoice: text, statuses } = useAccount().texts.billing;
  const { brand } = useSite();
  const { number, issuedAt, month, seller, customer, lines, total, currency, status, period } = invoice;
  return (
    <article className={styles.sheet}>
      <Facts
        facts={[
          [text.number, number],
          [text.issued, <Time key="issued" day at={issuedAt} />],
          [text.month, monthName(month)],
          [
            text.period,
            <>
              <Time day at={period.start} /> – <Time day at={lastDayOf(period.end)} />
            </>,
          ],
          [text.status, statuses[status]],
        ]}
      />
      <div className={styles.parties}>
        <section>
          <h2>{text.seller}</h2>
          <address>{seller ?? brand}</address>
        </section>
        <section>
          <h2>{text.customer}</h2>
          <address>
            {customer.name}
            <br />
            {customer.accountId}
          </address>
        </section>
      </div>
      <table className={styles.lines}>
        <caption className="visually-hidden">{text.lines}</caption>
        <Headings labels={[text.description, text.quantity, text.unitPrice, text.amount]} />
        <tbody>
          {lines.map((line) => (
            <tr key={line.kind === 'base' ? line.kind : line.group}>
              <th scope="row">
                <Description line={line} invoice={invoice} />
              </th>
              <td>{formatCount(line.quantity)}</td>
              <td>{formatAmount(line.unitPrice, currency)}</td>
              <td>{formatAmount(line.amount, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              {text.total}
            </th>
            <td>{formatAmount(total, currency)}</td>
          </tr>
        </tfoot>
      </table>
      <p className={styles.note}>{text.note}</p>
    </article>
  );
}

function Description({ line, invoice: { plan, month } }: { line: InvoiceLine; invoice: Invoice }) {
  const { billing, usage } = useAccount().texts;
  const name = usePlanName();
  const { base, overage } = billing.invoice;
  if (line.kind === 'base') return fill(base, { plan: name(plan), month: monthName(month) });
  const { group, used, included } = line;
  return fill(overage, { group: usage.groups[group], used, included });
}
