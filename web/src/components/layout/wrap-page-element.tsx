import type { ReactElement } from 'react';
import { Layout } from './layout';

/** Gatsby's hook, the same on both sides, so that the header and the footer outlive a change of page. */
export function wrapPageElement({ element }: { element: ReactElement }) {
  return <Layout>{element}</Layout>;
}
