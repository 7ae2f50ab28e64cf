import { useFacts } from './use-facts';

/** The value of a fact from contract, results or packages. */
export function Fact({ name }: { name: string }) {
  const value = useFacts()[name];
  if (value === undefined) throw new Error(`Content uses an unknown fact: {${name}}.`);
  return <span data-fact={name}>{value}</span>;
}
