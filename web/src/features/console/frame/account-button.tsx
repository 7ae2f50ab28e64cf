import type { ComponentProps } from 'react';
import { fill } from '../../../fill';
import { useConsole } from '../state/context';
import * as styles from './frame.module.css';

/** The button of the account menu, with the first letter of the person's address. */
export function AccountButton({ email, ...button }: ComponentProps<'button'> & { email: string }) {
  const { accountMenu } = useConsole().texts.shell;
  return (
    <button
      type="button"
      className={styles.person}
      aria-haspopup="menu"
      {...button}
      aria-label={fill(accountMenu, { email })}
    >
      <span aria-hidden="true">{email.slice(0, 1).toUpperCase()}</span>
    </button>
  );
}
