/** The words of the page, from content/verify/en.json. */
import { createContext, type ReactNode, useContext } from 'react';
import type { View } from './machine';

interface NamedText {
  name: string;
  text: string;
}

export type VerifyWords = QueryData<Queries.VerifyPageQuery>['contentVerify'];

const Words = createContext<VerifyWords | null>(null);

export const WordsProvider = ({ words, children }: { words: VerifyWords; children: ReactNode }) => (
  <Words.Provider value={words}>{children}</Words.Provider>
);

export function useWords(): VerifyWords {
  const words = useContext(Words);
  if (!words) throw new Error('This component needs a WordsProvider.');
  return words;
}

export const textOf = (texts: readonly NamedText[], name: string) =>
  texts.find((entry) => entry.name === name)?.text ?? '';

/** A message's name is `at`, with a suffix if the view has several cases. */
export function messageName(view: View): string {
  switch (view.at) {
    case 'cameraProblem':
      return `cameraProblem.${view.problem}`;
    case 'paused':
    case 'blocked':
      return `${view.at}.${view.why}`;
    case 'retry':
      return `retry.${view.hint}`;
    case 'ended':
      return `ended.${view.status}`;
    default:
      return view.at;
  }
}
