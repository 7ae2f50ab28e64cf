/**
 * The path of the console's sign-up page with the source of the visit and the chosen plan.
 * The build imports this module, too.
 * @param {{ readonly signUp: string, readonly source: string, readonly campaign: string }} console of content/site.json
 * @param {string} plan tier of the contract's plans
 */
export function signUpUrl({ signUp, source, campaign }, plan) {
  const query = new URLSearchParams({ source, utm_campaign: campaign, plan });
  return `${signUp}?${query}`;
}

/**
 * The path of the console's page on which a customer confirms a change to the chosen plan.
 * @param {{ readonly billing: string }} console of content/site.json
 * @param {string} plan tier of the contract's plans
 */
export const billingUrl = ({ billing }, plan) => `${billing}?${new URLSearchParams({ plan })}`;
