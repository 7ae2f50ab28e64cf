import * as RadixDialog from '@radix-ui/react-dialog';
import X from 'lucide-react/dist/esm/icons/x.mjs';
import { type ReactNode, useState } from 'react';
import { useConsole } from '../state/context';
import * as styles from './side-panel.module.css';

interface SidePanelProps {
  title: ReactNode;
  /** Beside the button that closes the panel. */
  actions?: ReactNode;
  onClose(): void;
  /** Where the focus goes after that. Default: where it was before. */
  returnFocusTo?: () => HTMLElement | null;
  children: ReactNode;
}

/** Wide enough for a list and a panel beside each other. */
const wide = '(min-width: 62rem)';

/**
 * Details of an entry of a list. On desktops the panel is beside the list, which stays usable; on phones it covers the page.
 */
export function SidePanel({ title, actions, onClose, returnFocusTo, children }: SidePanelProps) {
  const { close } = useConsole().texts.shell;
  const [opener] = useState(() => document.activeElement);
  const [isModal] = useState(() => !window.matchMedia(wide).matches);
  const returnFocus = (event: Event) => {
    event.preventDefault();
    const target = returnFocusTo?.() ?? opener;
    if (target instanceof HTMLElement) target.focus();
  };
  return (
    <RadixDialog.Root open modal={isModal} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Content
          className={styles.panel}
          aria-describedby={undefined}
          // Another row of the list shows its own details.
          onInteractOutside={(event) => event.preventDefault()}
          onCloseAutoFocus={returnFocus}
        >
          <div className={styles.top}>
            <RadixDialog.Title className={styles.title}>{title}</RadixDialog.Title>
            <div className={styles.tools}>
              {actions}
              <RadixDialog.Close className={styles.tool} aria-label={close}>
                <X aria-hidden size={20} strokeWidth={1.5} />
              </RadixDialog.Close>
            </div>
          </div>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

interface PanelButtonProps {
  label: string;
  onClick: (() => void) | undefined;
  children: ReactNode;
}

/** A button of the panel with an icon. Without an action it keeps the focus, which a disabled button would lose. */
export const PanelButton = ({ label, onClick, children }: PanelButtonProps) => (
  <button
    type="button"
    className={styles.tool}
    aria-label={label}
    title={label}
    aria-disabled={onClick === undefined}
    onClick={onClick}
  >
    {children}
  </button>
);
