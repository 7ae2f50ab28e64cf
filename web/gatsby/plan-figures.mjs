/** Figures of each plan by tier: `{basicPrice}`, `{basicLiveness}`, `{basicLivenessRate}`. Amounts are in the plan's currency. */
const NUMBER = new Intl.NumberFormat('en');

/**
 * @typedef {object} Plan
 * @property {string} tier
 * @property {string} displayName
 * @property {boolean} allowBranding
 * @property {boolean} allowSyncWebhook
 * @property {{ productGroups: { livenessDetection: number, imageAnalysis: number } }} quota
 * @property {{ basePrice: number, isCustom: boolean, overage: { livenessDetection: number, imageAnalysis: number } | null }} pricing
 */

/** @param {readonly Plan[]} plans @returns {Record<string, string>} */
export const planFigures = (plans) => Object.assign({}, ...plans.map(figuresOfPlan));

/** @param {Plan} plan */
function figuresOfPlan({ tier, quota, pricing }) {
  const { livenessDetection, imageAnalysis } = quota.productGroups;
  return {
    ...(!pricing.isCustom && { [`${tier}Price`]: dollars(pricing.basePrice) }),
    [`${tier}Liveness`]: NUMBER.format(livenessDetection),
    [`${tier}Analyses`]: NUMBER.format(imageAnalysis),
    ...(pricing.overage && {
      [`${tier}LivenessRate`]: dollars(pricing.overage.livenessDetection),
      [`${tier}AnalysisRate`]: dollars(pricing.overage.imageAnalysis),
    }),
  };
}

/** Whole dollars, or at least two decimals. @param {number} amount */
const dollars = (amount) =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 4 })}`;
