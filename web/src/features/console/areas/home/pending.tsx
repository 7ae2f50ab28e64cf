/** Things that the account waits for, and others that its members should look at. */
import { Link } from 'gatsby';
import { useAccountData } from '../../state/account-data';
import { useAccount } from '../../state/context';
import * as styles from './home.module.css';
import type { Note } from './note';
import { useBillingNotes, useKeyNotes, useQuotaNotes, useWebhookNotes } from './notes';

export function Pending() {
  const { pending } = useAccount().texts.home;
  const account = useAccountData().data;
  const isSuspended = account?.suspended === true;
  const notes: readonly Note[] = [
    ...(isSuspended ? [{ id: 'suspended', text: pending.suspended.text }] : []),
    ...useBillingNotes(account),
    ...useQuotaNotes(account),
    ...useWebhookNotes(),
    ...useKeyNotes(),
  ];
  if (notes.length === 0) return null;
  return (
    <section className={styles.pending}>
      <h2>{pending.title}</h2>
      <ul>
        {notes.map(({ id, text, action, to }) => (
          <li key={id}>
            <p>{text}</p>
            {to !== undefined && <Link to={to}>{action}</Link>}
          </li>
        ))}
      </ul>
    </section>
  );
}
