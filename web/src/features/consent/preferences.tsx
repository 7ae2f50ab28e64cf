/** Opens the dialog of preferences, from the banner as from the footer. Its code is loaded when it is first wanted. */
import { type ComponentType, createContext, type ReactNode, useContext, useRef, useState } from 'react';
import { track } from '../analytics/track';
import type { PreferencesDialogProps } from './preferences-dialog';

const COOKIE_POLICY = '/cookie-policy';

const OpenPreferences = createContext<() => void>(() => {});

export const useOpenPreferences = () => useContext(OpenPreferences);

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<ComponentType<PreferencesDialogProps>>();
  const opener = useRef<Element>(null);

  const open = () => {
    opener.current = document.activeElement;
    import('./preferences-dialog').then(
      ({ PreferencesDialog }) => {
        setDialog(() => PreferencesDialog);
        setOpen(true);
        track('preferences_opened');
      },
      // Without the dialog, at least what it would have told.
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
