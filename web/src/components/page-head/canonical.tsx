import { useSite } from '../use-site';

/** The one address under which a page wants to be known. */
export function Canonical({ path }: { path: string }) {
  const { siteUrl } = useSite();
  return <link rel="canonical" href={siteUrl + path} />;
}
