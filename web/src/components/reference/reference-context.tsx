import { createContext, type ReactNode, useContext } from 'react';
import type { ReferenceData } from './types';

const Context = createContext<ReferenceData | null>(null);

/** Hands the page's data to what its content names: MDX gives those components nothing but their attributes. */
export function ReferenceProvider({ data, children }: { data: ReferenceData; children: ReactNode }) {
  return <Context.Provider value={data}>{children}</Context.Provider>;
}

export function useReference(): ReferenceData {
  const data = useContext(Context);
  if (!data) throw new Error('Components of the reference stand on its page only.');
  return data;
}
