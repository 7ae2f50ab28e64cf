/** Buttons, and links that look like buttons. */
import { Link } from 'gatsby';
import type { ComponentProps, ReactNode } from 'react';
import * as styles from './button.module.css';
import { isPage } from './is-page';

const classes = { primary: styles.primary, secondary: styles.secondary, danger: styles.danger };

interface ButtonProps {
  /** Each part of a page has one primary button. `danger` marks an action that cannot be undone. */
  variant?: keyof typeof classes;
  children: ReactNode;
}

export function ButtonLink({
  variant = 'primary',
  to,
  ...rest
}: ButtonProps & { to: string } & ComponentProps<'a'>) {
  return isPage(to) ? (
    <Link className={classes[variant]} to={to} {...(rest as object)} />
  ) : (
    <a className={classes[variant]} href={to} {...rest} />
  );
}

export function Button({
  variant = 'primary',
  type = 'button',
  ...rest
}: ButtonProps & ComponentProps<'button'>) {
  return <button className={classes[variant]} type={type} {...rest} />;
}
