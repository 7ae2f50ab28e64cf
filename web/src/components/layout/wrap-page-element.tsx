import type { WrapPageElementBrowserArgs } from 'gatsby';
import { Layout } from './layout';

type Wrapped = WrapPageElementBrowserArgs<Record<string, unknown>, { layout?: string | null }>;

/** Gatsby's hook, the same on both sides, so that the header and the footer outlive a change of page. */
export function wrapPageElement({ element, props }: Pick<Wrapped, 'element' | 'props'>) {
  return props.pageContext.layout === 'bare' ? element : <Layout>{element}</Layout>;
}
