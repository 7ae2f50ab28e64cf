import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { useConsole } from '../state/context';
import { Confirm, Dialog } from './dialog';
import { Facts } from './facts';
import { Block } from './page';
import { Time } from './time';

interface ErasureReceipt {
  readonly number: string;
  readonly at: string;
  /** Numbers of what was erased, by kind. */
  readonly erased: Readonly<Record<string, number>>;
}

interface DeletionProps {
  words: { readonly title: string; readonly text: string; readonly action: string };
  /** The question that a dialog asks. */
  question: { readonly title: string; readonly text: string };
  /** The word that the person types. */
  name: string;
  /** The call that erases, with its body. */
  path: string;
  body?: object;
  onClose(): void;
}

/** A part of a page that deletes the account or the person. */
export function Deletion({ words, question, name, path, body = {}, onClose }: DeletionProps) {
  const { api } = useConsole();
  const { title, text, action } = words;
  const [isAsking, setAsking] = useState(false);
  const [receipt, setReceipt] = useState<ErasureReceipt>();
  return (
    <Block title={title}>
      <p>{text}</p>
      <div>
        <Button look="danger" onClick={() => setAsking(true)}>
          {action}
        </Button>
      </div>
      {isAsking && (
        <Confirm
          {...question}
          action={action}
          name={name}
          onConfirm={async () =>
            setReceipt((await api.call<{ receipt: ErasureReceipt }>('DELETE', path, body)).receipt)
          }
          onClose={() => setAsking(false)}
        />
      )}
      {receipt && <Receipt receipt={receipt} onClose={onClose} />}
    </Block>
  );
}

interface ReceiptProps {
  receipt: ErasureReceipt;
  onClose(): void;
}

/** Shown after an erasure, and mailed as well. */
function Receipt({ receipt: { number, at, erased }, onClose }: ReceiptProps) {
  const { receipt: words, close } = useConsole().words.shell;
  const kinds: Readonly<Record<string, string>> = words.kinds;
  return (
    <Dialog title={words.title} text={words.text} isSticky onClose={onClose}>
      <Facts
        facts={[
          [words.number, <code key="number">{number}</code>],
          [words.at, <Time key="at" at={at} />],
          ...Object.entries(erased).map(([kind, count]) => [kinds[kind] ?? kind, String(count)] as const),
        ]}
      />
      <Button onClick={onClose}>{close}</Button>
    </Dialog>
  );
}
