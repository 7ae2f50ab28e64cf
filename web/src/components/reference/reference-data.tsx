/** The data of a page of the reference. gatsby/reference derives it from the contract. */
import { createContext, useContext } from 'react';
import type { TocEntry } from '../docs/toc';

export type ReferenceData = QueryData<Queries.ReferencePageQuery>;

export type Field = Queries.ReferenceFieldFragment;
/** A parameter or a header: headers have no place. */
export type Parameter = Omit<Field, 'path' | 'depth'> & { place?: string | null; example?: string | null };
export type Body = Queries.ReferenceBodyFragment;
export type Example = Body['examples'][number];
export type Status = Queries.ReferenceStatusFragment;
export type Operation = ReferenceData['allContractOperation']['nodes'][number];

interface Reference extends ReferenceData {
  /** Whether the page has all others within it, with their headings one level down. */
  isFull: boolean;
  /** The headings that the sidebar lists. */
  sections: readonly TocEntry[];
  /** The operations that the console's playground can run. */
  playgroundOperations: readonly string[];
}

const Context = createContext<Reference | null>(null);

/** Provides the data to the components in the content, which receive only their attributes from MDX. */
export const ReferenceProvider = Context.Provider;

export function useReference(): Reference {
  const data = useContext(Context);
  if (!data) throw new Error('Components of the reference need a ReferenceProvider.');
  return data;
}

/** The parts of the reference: one per page. */
export const usePart = (slug: string) => {
  const page = useReference().allReferencePage.nodes.find((part) => part.slug === slug);
  if (!page) throw new Error(`The reference uses a page that it lacks: ${slug}.`);
  return page;
};

/** The address of an anchor on a page of the reference. */
export const useAddress = () => {
  const { isFull } = useReference();
  return (path: string, anchor: string) => (isFull ? `#${anchor}` : `${path}#${anchor}`);
};

export function useOperation(id: string): Operation {
  const operation = useReference().allContractOperation.nodes.find(({ operationId }) => operationId === id);
  if (!operation) throw new Error(`The reference uses an operation that the contract lacks: ${id}.`);
  return operation;
}
