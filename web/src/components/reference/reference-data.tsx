/** The data of the reference page. gatsby/reference derives it from the contract. */
import { createContext, useContext } from 'react';

export type ReferenceData = QueryData<Queries.ReferencePageQuery>;

export type Field = Queries.ReferenceFieldFragment;
/** A parameter or a header: headers have no place. */
export type Parameter = Omit<Field, 'path' | 'depth'> & { place?: string | null; example?: string | null };
export type Body = Queries.ReferenceBodyFragment;
export type Example = Body['examples'][number];
export type Status = Queries.ReferenceStatusFragment;
export type Operation = ReferenceData['allContractOperation']['nodes'][number];

const Context = createContext<ReferenceData | null>(null);

/** Provides the data to the components in the content, which receive only their attributes from MDX. */
export const ReferenceProvider = Context.Provider;

export function useReference(): ReferenceData {
  const data = useContext(Context);
  if (!data) throw new Error('Components of the reference need a ReferenceProvider.');
  return data;
}
