import type { ReactNode } from 'react';
import { ButtonLink } from '../../components/ui/button';
import { useSite } from '../../components/use-site';
import { signUpUrl } from './sign-up-url';

interface SignUpButtonProps {
  /** Tier of the contract's plans. */
  plan: string;
  look?: 'primary' | 'secondary';
  children: ReactNode;
}

/** Leads to the console's sign-up page. */
export function SignUpButton({ plan, look = 'primary', children }: SignUpButtonProps) {
  const { console } = useSite();
  return (
    <ButtonLink look={look} to={signUpUrl(console, plan)}>
      {children}
    </ButtonLink>
  );
}
