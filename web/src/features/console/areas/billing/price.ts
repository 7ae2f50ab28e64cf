import { formatMoney } from '../../../../components/pricing/money';
import { fill } from '../../../../fill';
import { useConsole } from '../../state/context';
import { usePlans } from '../../state/plans';

/** Prices of plans by their tier: `$24`, and `$24 a month`. */
export function usePrices(): { amountOf(tier: string): string; priceOf(tier: string): string } {
  const { prices } = useConsole().texts.billing;
  const plans = usePlans();
  const fixedPriceOf = (tier: string) => {
    const pricing = plans.find((plan) => plan.tier === tier)?.pricing;
    return pricing && !pricing.isCustom ? formatMoney(pricing.basePrice, pricing.currency) : undefined;
  };
  return {
    amountOf: (tier) => fixedPriceOf(tier) ?? prices.custom,
    priceOf: (tier) => {
      const price = fixedPriceOf(tier);
      return price === undefined ? prices.custom : fill(prices.month, { price });
    },
  };
}
