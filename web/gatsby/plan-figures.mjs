/** Figures of each plan, by its tier: `{basicLiveness}`, `{basicLivenessRate}`. Rates are in the plan's currency. */
const NUMBER = new Intl.NumberFormat('en');

/**
 * @typedef {object} Plan
 * @property {string} tier
 * @property {{ productGroups: { livenessDetection: number, imageAnalysis: number } }} quota
 * @property {{ overage: { livenessDetection: number, imageAnalysis: number } | null }} pricing
 * @property {{ burst: { limit: number } }} limits
 * @property {{ price: string }} display
 */

/** @param {readonly Plan[]} plans @returns {Record<string, string>} */
export const planFigures = (plans) => Object.assign({}, ...plans.map(figuresOfPlan));

/** @param {Plan} plan */
function figuresOfPlan({ tier, quota, pricing, limits, display }) {
  const { livenessDetection, imageAnalysis } = quota.productGroups;
  return {
    [`${tier}Price`]: display.price,
    [`${tier}Liveness`]: NUMBER.format(livenessDetection),
    [`${tier}Analyses`]: NUMBER.format(imageAnalysis),
    [`${tier}Burst`]: NUMBER.format(limits.burst.limit),
    ...(pricing.overage && {
      [`${tier}LivenessRate`]: dollars(pricing.overage.livenessDetection),
      [`${tier}AnalysisRate`]: dollars(pricing.overage.imageAnalysis),
    }),
  };
}

/** At least cents, and more digits where a rate has them. @param {number} amount */
const dollars = (amount) =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
