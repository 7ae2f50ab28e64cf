/**
 * The address of the console's sign-up page, which tells the console where somebody comes from and which plan they
 * chose. A module that the build runs too, as it is.
 * @param {{ readonly signUp: string, readonly source: string, readonly campaign: string }} console of content/site.json
 * @param {string} plan tier of the contract's plans
 */
export function signUpUrl({ signUp, source, campaign }, plan) {
  const query = new URLSearchParams({ source, utm_campaign: campaign, plan });
  return `${signUp}?${query}`;
}
