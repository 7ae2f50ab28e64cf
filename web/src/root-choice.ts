import { useSyncExternalStore } from 'react';

/** A choice of the visitor. data-{attribute} of <html> holds it for style sheets, local storage for the next visit. */
export interface RootChoice<Value extends string> {
  readonly attribute: string;
  readonly storageKey: string;
  readonly values: readonly Value[];
  readonly fallback: Value;
}

export function useRootChoice<Value extends string>({
  attribute,
  storageKey,
  values,
  fallback,
}: RootChoice<Value>): [Value, (value: string) => void] {
  const find = (value: string | undefined) => values.find((known) => known === value);
  const subscribe = (onChange: () => void) => {
    const observer = new MutationObserver(onChange);
    observer.observe(document.documentElement, { attributeFilter: [`data-${attribute}`] });
    return () => observer.disconnect();
  };
  const current = useSyncExternalStore(
    subscribe,
    () => find(document.documentElement.dataset[attribute]) ?? fallback,
    () => fallback,
  );
  const choose = (value: string) => {
    if (!find(value)) return;
    document.documentElement.dataset[attribute] = value;
    try {
      localStorage.setItem(storageKey, value);
    } catch {
      // Storage is full or denied: the choice lasts until the visitor leaves the page.
    }
  };
  return [current, choose];
}

/** Code for an inline script that restores stored choices before the first paint. Without storage, defaults apply. */
export const restoreCode = (choices: readonly RootChoice<string>[]) =>
  `(function(d){d.js="";try{${JSON.stringify(
    choices.map(({ attribute, storageKey, values }) => [attribute, storageKey, values]),
  )}.forEach(function(c){var v=localStorage.getItem(c[1]);if(c[2].includes(v))d[c[0]]=v})}catch(e){}})(document.documentElement.dataset)`;
