/** Where a plan's button leads: to the console's sign-up page, or to a mail for a plan that is agreed upon. */
export interface Console {
  readonly signUp: string;
  readonly source: string;
  readonly campaign: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** Tells the console where somebody comes from, and which plan they chose. */
export function signUpUrl({ signUp, source, campaign }: Console, plan: string): string {
  const query = new URLSearchParams({ source, utm_campaign: campaign, plan });
  return `${signUp}?${query}`;
}

/** RFC 6068: spaces are %20 and line breaks %0D%0A, unlike in the query of a page. */
export const mailUrl = ({ to, subject, body }: Mail): string =>
  `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replace(/\r?\n/g, '\r\n'))}`;
