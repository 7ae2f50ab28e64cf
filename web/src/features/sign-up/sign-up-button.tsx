import type { MouseEvent, ReactNode } from 'react';
import { ButtonLink } from '../../components/ui/button';
import { track } from '../analytics/track';
import { openOutside } from './open-outside';
import { useBusy } from './use-busy';
import { usePlanAddress } from './use-plan-address';

const BUSY_MS = 1000;

interface SignUpButtonProps {
  /** Tier of a plan in the contract. */
  plan: string;
  look?: 'primary' | 'secondary';
  children: ReactNode;
}

/**
 * Opens the console's sign-up page in a new tab, or a mail draft for a custom plan. It is a
 * link, so that it works without JavaScript.
 */
export function SignUpButton({ plan, look = 'primary', children }: SignUpButtonProps) {
  const { address, isMail } = usePlanAddress(plan);
  const [isBusy, setBusy] = useBusy(BUSY_MS);

  const leave = (event: MouseEvent) => {
    setBusy();
    track('plan_clicked', { plan });
    const asksForMore = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
    if (isMail || asksForMore) return;
    event.preventDefault();
    openOutside(address, {
      open: (url, target) => window.open(url, target),
      location: window.location,
    });
  };

  return (
    <ButtonLink
      look={look}
      to={address}
      aria-busy={isBusy || undefined}
      onClick={leave}
      {...(isMail ? {} : { target: '_blank', rel: 'noopener' })}
    >
      {children}
    </ButtonLink>
  );
}
