/** Prompts that the frame shows above every page: outcomes of actions, and the question who the person is. */
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';

/** The outcome of an action, in a sentence. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  /** Reverses the action. Absent for actions that cannot be reversed. @throws CallError */
  readonly undo?: (() => Promise<unknown>) | undefined;
}

/** Notices that are visible at once. */
const mostNotices = 3;

interface Prompts {
  readonly notices: readonly Notice[];
  notify(text: string, undo?: Notice['undo']): void;
  dismiss(id: number): void;
  /** Whether the dialog is open in which the person confirms who they are. */
  readonly isAsking: boolean;
  /** Opens that dialog. @returns whether the person confirmed it */
  confirmIdentity(): Promise<boolean>;
  /** Closes that dialog. */
  conclude(isConfirmed: boolean): void;
}

const Context = createContext<Prompts | undefined>(undefined);

export function PromptsProvider({ children }: { children: ReactNode }) {
  const [notices, setNotices] = useState<readonly Notice[]>([]);
  const count = useRef(0);
  const notify = useCallback<Prompts['notify']>((text, undo) => {
    count.current += 1;
    const notice = { id: count.current, text, undo };
    setNotices((before) => [...before.slice(1 - mostNotices), notice]);
  }, []);
  const dismiss = useCallback(
    (id: number) => setNotices((before) => before.filter((notice) => notice.id !== id)),
    [],
  );
  const { isAsking, confirmIdentity, conclude } = useQuestion();
  const prompts = useMemo(
    () => ({ notices, notify, dismiss, isAsking, confirmIdentity, conclude }),
    [notices, notify, dismiss, isAsking, confirmIdentity, conclude],
  );
  return <Context.Provider value={prompts}>{children}</Context.Provider>;
}

/** Several actions may wait for one confirmation. */
function useQuestion(): Pick<Prompts, 'isAsking' | 'confirmIdentity' | 'conclude'> {
  const waiting = useRef<((isConfirmed: boolean) => void)[]>([]);
  const [isAsking, setAsking] = useState(false);
  const confirmIdentity = useCallback(() => {
    setAsking(true);
    return new Promise<boolean>((resolve) => waiting.current.push(resolve));
  }, []);
  const conclude = useCallback((isConfirmed: boolean) => {
    setAsking(false);
    for (const resolve of waiting.current.splice(0)) resolve(isConfirmed);
  }, []);
  return { isAsking, confirmIdentity, conclude };
}

export function usePrompts(): Prompts {
  const prompts = useContext(Context);
  if (!prompts) throw new Error('The console has no provider of prompts.');
  return prompts;
}
