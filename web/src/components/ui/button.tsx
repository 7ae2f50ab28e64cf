/** Buttons, and links that look like buttons. */
import { Link } from 'gatsby';
import type { ComponentProps, ReactNode } from 'react';
import * as styles from './button.module.css';
import { isPage } from './is-page';

const classes = { primary: styles.primary, secondary: styles.secondary, danger: styles.danger };

interface Look {
  /** Each part of a page has one primary button. Danger: what cannot be undone. */
  look?: keyof typeof classes;
  children: ReactNode;
}

export function ButtonLink({ look = 'primary', to, ...rest }: Look & { to: string } & ComponentProps<'a'>) {
  return isPage(to) ? (
    <Link className={classes[look]} to={to} {...(rest as object)} />
  ) : (
    <a className={classes[look]} href={to} {...rest} />
  );
}

export function Button({ look = 'primary', type = 'button', ...rest }: Look & ComponentProps<'button'>) {
  return <button className={classes[look]} type={type} {...rest} />;
}
