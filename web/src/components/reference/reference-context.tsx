import { createContext, type ReactNode, useContext } from 'react';
import type { ReferenceData } from './types';

const Context = createContext<ReferenceData | null>(null);

/** Provides the page's data to the components in its content, which receive only their attributes from MDX. */
export function ReferenceProvider({ data, children }: { data: ReferenceData; children: ReactNode }) {
  return <Context.Provider value={data}>{children}</Context.Provider>;
}

export function useReference(): ReferenceData {
  const data = useContext(Context);
  if (!data) throw new Error('Components of the reference need a ReferenceProvider.');
  return data;
}
