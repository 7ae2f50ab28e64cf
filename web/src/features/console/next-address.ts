/** The address that a person wanted before signing in: a page of the console, never another site. */
export function nextAddress(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? '';
  return /^\/console(?:\/[\w/-]*)?(?:\?[\w=&%.-]*)?$/.test(next) ? next : '/console';
}
