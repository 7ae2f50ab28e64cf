import { usePlans } from '../../state/plans';

/** The plans as options of a choice. */
export const usePlanOptions = () =>
  usePlans().map(({ tier, displayName }) => ({ value: tier, label: displayName }));
