/** Figures of each plan by tier: `{basicLiveness}`, `{basicLivenessRate}`. Rates are in the plan's currency. */
const NUMBER = new Intl.NumberFormat('en');

/**
 * @typedef {object} Plan
 * @property {string} tier
 * @property {string} displayName
 * @property {boolean} allowBranding
 * @property {boolean} allowSyncWebhook
 * @property {{ productGroups: { livenessDetection: number, imageAnalysis: number } }} quota
 * @property {{ overage: { livenessDetection: number, imageAnalysis: number } | null }} pricing
 */

/** @param {readonly Plan[]} plans @returns {Record<string, string>} */
export const planFigures = (plans) => Object.assign({}, ...plans.map(figuresOfPlan));

/** @param {Plan} plan */
function figuresOfPlan({ tier, quota, pricing }) {
  const { livenessDetection, imageAnalysis } = quota.productGroups;
  return {
    [`${tier}Liveness`]: NUMBER.format(livenessDetection),
    [`${tier}Analyses`]: NUMBER.format(imageAnalysis),
    ...(pricing.overage && {
      [`${tier}LivenessRate`]: dollars(pricing.overage.livenessDetection),
      [`${tier}AnalysisRate`]: dollars(pricing.overage.imageAnalysis),
    }),
  };
}

/** At least two decimals, and more if the rate has them. @param {number} amount */
const dollars = (amount) =>
  `$${amount.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
