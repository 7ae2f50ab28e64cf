/** Where somebody signs up: the console, told where they come from and which plan they chose. */
export interface Console {
  readonly signUp: string;
  readonly source: string;
  readonly campaign: string;
}

export function signUpUrl({ signUp, source, campaign }: Console, plan: string): string {
  const query = new URLSearchParams({ source, utm_campaign: campaign, plan });
  return `${signUp}?${query}`;
}
