/** Types of imports that webpack handles. */
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export = classes;
}

declare module '*.css';

declare module '*.woff2' {
  const url: string;
  export default url;
}

/** The result of a query whose nodes all exist: Gatsby's types allow every node to be missing. */
type QueryData<Query> = { readonly [Name in keyof Query]: NonNullable<Query[Name]> };

/** Gatsby's router, which every page has already. */
declare module '@gatsbyjs/reach-router' {
  import type { ComponentType, ReactNode } from 'react';

  export const Router: ComponentType<{ basepath: string; primary: boolean; children: ReactNode }>;
  export function match(path: string, address: string): object | null;
  export function useLocation(): Location;
}
