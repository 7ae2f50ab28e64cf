import { graphql, useStaticQuery } from 'gatsby';
import { type MouseEvent, type ReactNode, useEffect, useState } from 'react';
import { track } from '../../analytics/track';
import { useIsMember } from '../../visitor';
import { ButtonLink } from '../ui/button';
import { useSite } from '../use-site';
import { mailUrl } from './mail-url';
import { openOutside } from './open-outside';
import { billingUrl, signUpUrl } from './sign-up-url.mjs';

const BUSY_MS = 1000;

interface SignUpButtonProps {
  /** Tier of a plan in the contract. */
  plan: string;
  variant?: 'primary' | 'secondary';
  /** Whether the visitor chooses this plan among others, not merely to begin. */
  isChoice?: boolean;
  children: ReactNode;
}

/**
 * Opens the console's sign-up page in a new tab, or a mail draft for a custom plan. A customer who is signed in reaches the
 * console, or its page for changing to the plan. It is a link, so that it works without JavaScript.
 */
export function SignUpButton({ plan, variant = 'primary', isChoice = false, children }: SignUpButtonProps) {
  const { address, isMail } = usePlanAddress(plan, isChoice);
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
      variant={variant}
      to={address}
      aria-busy={isBusy || undefined}
      onClick={leave}
      {...(isMail ? {} : { target: '_blank', rel: 'noopener' })}
    >
      {children}
    </ButtonLink>
  );
}

/** A flag that clears itself `ms` milliseconds after it was last set. */
function useBusy(durationMs: number): [boolean, () => void] {
  const [since, setSince] = useState<number>();
  useEffect(() => {
    if (since === undefined) return;
    const timer = setTimeout(() => setSince(undefined), durationMs);
    return () => clearTimeout(timer);
  }, [since, durationMs]);
  return [since !== undefined, () => setSince(performance.now())];
}

/** @param plan tier of a plan in the contract */
function usePlanAddress(plan: string, isChoice: boolean): { address: string; isMail: boolean } {
  const { allContractPlan, contentSite } = useStaticQuery<QueryData<Queries.PlanAddressQuery>>(graphql`
    query PlanAddress {
      allContractPlan { nodes { tier pricing { isCustom } } }
      contentSite { planInquiry { subject body } }
    }
  `);
  const { console, contact } = useSite();
  const isMail = allContractPlan.nodes.some(({ tier, pricing }) => tier === plan && pricing.isCustom);
  const isMember = useIsMember();
  if (isMail) return { address: mailUrl({ to: contact.sales, ...contentSite.planInquiry }), isMail };
  if (!isMember) return { address: signUpUrl(console, plan), isMail };
  return { address: isChoice ? billingUrl(console, plan) : console.home, isMail };
}
