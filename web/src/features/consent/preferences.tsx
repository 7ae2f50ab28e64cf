/** Banner and footer open the preferences dialog, whose code loads on first use. */
import { type ComponentType, createContext, type ReactNode, useContext, useRef, useState } from 'react';
import type { PreferencesDialogProps } from './preferences-dialog';

const COOKIE_POLICY = '/cookie-policy';

const OpenPreferences = createContext<() => void>(() => {});

export const useOpenPreferences = () => useContext(OpenPreferences);

interface PreferencesProviderProps {
  onOpen: () => void;
  children: ReactNode;
}

export function PreferencesProvider({ onOpen, children }: PreferencesProviderProps) {
  const [isOpen, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<PreferencesDialogProps>>();
  const opener = useRef<Element>(null);

  const open = () => {
    opener.current = document.activeElement;
    import('./preferences-dialog').then(
      ({ PreferencesDialog }) => {
        setDialog(() => PreferencesDialog);
        setOpen(true);
        onOpen();
      },
      // The cookie policy lists what the dialog would have shown.
      () => window.location.assign(COOKIE_POLICY),
    );
  };
  const close = () => setOpen(false);
  const giveFocusBack = () => {
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };

  return (
    <OpenPreferences value={open}>
      {children}
      {isOpen && Dialog && <Dialog onClose={close} onClosed={giveFocusBack} />}
    </OpenPreferences>
  );
}
