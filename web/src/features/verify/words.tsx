/** All that the page says, from content/verify.json. */
import { createContext, type ReactNode, useContext } from 'react';
import type { View } from './machine';

interface NamedText {
  name: string;
  text: string;
}

export interface Message {
  name: string;
  heading: string;
  text: string;
  /** Label of the button that leads on, where one does. */
  action: string | null;
  secondary: string | null;
}

export interface VerifyWords {
  noScript: { heading: string; text: string };
  checkBy: string;
  askedBy: string;
  askedBySomebody: string;
  /** What the account is called in a sentence when it has given no name. */
  sender: string;
  leave: string;
  consent: {
    heading: string;
    points: { title: string; text: string }[];
    agreement: string;
    /** Version of what is said here: sent along as the person agrees. */
    notice: string;
    missing: string;
    action: string;
    retention: { hours: string; minutes: string };
  };
  capture: { beginning: string; preview: string; progress: string; step: string; steady: string };
  movements: NamedText[];
  guidance: NamedText[];
  trouble: NamedText[];
  attempts: { one: string; other: string };
  requestId: string;
  copy: { label: string; action: string; done: string };
  return: { action: string; stay: string; soon: string; close: string };
  allowCamera: { name: string; steps: string[] }[];
  messages: Message[];
}

const Words = createContext<VerifyWords | null>(null);

export const WordsProvider = ({ words, children }: { words: VerifyWords; children: ReactNode }) => (
  <Words.Provider value={words}>{children}</Words.Provider>
);

export function useWords(): VerifyWords {
  const words = useContext(Words);
  if (!words) throw new Error('There are no words around this component.');
  return words;
}

export const textOf = (texts: NamedText[], name: string) =>
  texts.find((entry) => entry.name === name)?.text ?? '';

/** Names of the messages are `at`, or `at` and what tells one case from another. */
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
