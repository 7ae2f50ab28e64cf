import { usePlans } from '../../plans';

/** The name of a plan by its id. */
export function useNameOfPlan(): (plan: string) => string {
  const plans = usePlans();
  return (plan) => plans.find(({ tier }) => tier === plan)?.displayName ?? plan;
}

/** The plans as options of a choice. */
export const usePlanOptions = () =>
  usePlans().map(({ tier, displayName }) => ({ value: tier, label: displayName }));
