import { fill } from '../../../../fill';
import { useAccount } from '../../state/context';
import * as styles from './requests.module.css';

/** Why the log may lack a request whose id an error has shown. */
export function MissingRequest({ requestId }: { requestId: string }) {
  const { texts, profile } = useAccount();
  const { title, reasons, others, noOthers } = texts.requests.missing;
  const hasOthers = profile.accounts.length > 1;
  return (
    <div className={styles.missing} role="status">
      <p>{fill(title, { requestId })}</p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{fill(reason, { others: hasOthers ? others : noOthers })}</li>
        ))}
      </ul>
    </div>
  );
}
