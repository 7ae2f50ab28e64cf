import { useFacts } from './use-facts';

/** Fills facts of the contract into a text of JSON content, as `{maxFaces}` in MDX does by itself. */
export function useFill(): (text: string) => string {
  const facts = useFacts();
  return (text) =>
    text.replace(/\{([a-z][A-Za-z]*)\}/g, (_, name: string) => {
      const value = facts[name];
      if (value === undefined) throw new Error(`Content names a fact that is not known: {${name}}.`);
      return value;
    });
}
