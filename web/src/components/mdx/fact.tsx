import { useFacts } from './use-facts';

/** What contract, results or packages say under that name. */
export function Fact({ name }: { name: string }) {
  const value = useFacts()[name];
  if (value === undefined) throw new Error(`Content names a fact that is not known: {${name}}.`);
  return <span data-fact={name}>{value}</span>;
}
