import { useSite } from '../use-site';

/** The canonical address of a page. */
export function Canonical({ path }: { path: string }) {
  const { siteUrl } = useSite();
  return <link rel="canonical" href={siteUrl + path} />;
}
