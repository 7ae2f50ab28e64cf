import * as RadixDialog from '@radix-ui/react-dialog';
import { useQueryClient } from '@tanstack/react-query';
import X from 'lucide-react/dist/esm/icons/x.mjs';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../components/ui/button';
import * as overlay from '../../../components/ui/veil.module.css';
import { fill } from '../../../fill';
import { useConsole } from '../state/context';
import * as styles from './dialog.module.css';
import { Field, Form } from './form';

interface DialogProps {
  title: string;
  text?: string | undefined;
  onClose(): void;
  /** Whether only a button inside closes it, because it shows a secret once. */
  isSticky?: boolean;
  children: ReactNode;
}

export function Dialog({ title, text, onClose, isSticky, children }: DialogProps) {
  const { close } = useConsole().texts.shell;
  const client = useQueryClient();
  // A call that is running may return a secret that the dialog shows once, and a second click may miss the button. Calls that
  // ran before the dialog opened wait for it.
  const [before] = useState(() => client.isMutating());
  const keep = (event: Event) => (isSticky || client.isMutating() > before) && event.preventDefault();
  // Radix only knows triggers of its own.
  const [opener] = useState(() => document.activeElement);
  const returnFocus = (event: Event) => {
    event.preventDefault();
    focusAgain(opener);
  };
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        {/* Radix's own overlay would add an inline style, which the content security policy forbids. */}
        <div className={overlay.veil}>
          <RadixDialog.Content
            className={styles.dialog}
            onEscapeKeyDown={keep}
            onPointerDownOutside={keep}
            onCloseAutoFocus={returnFocus}
            {...(text === undefined && { 'aria-describedby': undefined })}
          >
            <RadixDialog.Title className={styles.title}>{title}</RadixDialog.Title>
            {text !== undefined && <RadixDialog.Description>{text}</RadixDialog.Description>}
            {children}
            {!isSticky && (
              <RadixDialog.Close className={styles.close} aria-label={close}>
                <X aria-hidden size={20} strokeWidth={1.5} />
              </RadixDialog.Close>
            )}
          </RadixDialog.Content>
        </div>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Focuses the element that opened a dialog, or the title of the page if the element is gone. */
export function focusAgain(opener: Element | null): void {
  if (opener instanceof HTMLElement && opener !== document.body) opener.focus();
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('main h1')?.focus();
}

interface ConfirmProps {
  title: string;
  text: string;
  action: string;
  /** The label of the other button. */
  cancel?: string;
  /** Primary: a change that can be undone. */
  variant?: 'primary' | 'danger';
  /** The text that the person types before a change that cannot be undone. */
  name?: string;
  /** @throws CallError, which the dialog shows */
  onConfirm(): Promise<unknown>;
  onClose(): void;
  /** Choices above the buttons. */
  children?: ReactNode;
}

/** Asks before a change that matters. */
export function Confirm({
  title,
  text,
  action,
  cancel,
  variant = 'danger',
  name,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) {
  const { cancel: cancelLabel, confirmName } = useConsole().texts.shell;
  const [typed, setTyped] = useState('');
  const confirm = async () => {
    if (name !== undefined && typed !== name) return;
    await onConfirm();
    onClose();
  };
  return (
    <Dialog title={title} text={text} onClose={onClose}>
      <Form
        action={action}
        variant={variant}
        onSubmit={confirm}
        others={
          <Button variant="secondary" onClick={onClose}>
            {cancel ?? cancelLabel}
          </Button>
        }
      >
        {children}
        {name !== undefined && (
          <Field
            name="name"
            label={fill(confirmName, { name })}
            autoComplete="off"
            required
            pattern={name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Form>
    </Dialog>
  );
}
