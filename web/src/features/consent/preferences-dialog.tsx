// The first import keeps the style order of header and footer, which `button` would reverse.

import * as Dialog from '@radix-ui/react-dialog';
import X from 'lucide-react/dist/esm/icons/x.mjs';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import * as brackets from '../../components/ui/brackets.module.css';
import { Button } from '../../components/ui/button';
import { Disclosure } from '../../components/ui/disclosure';
import * as overlay from '../../components/ui/veil.module.css';
import { browserConsent, choose, chooseNecessary } from '../../consent/browser-consent';
import { type Choices, OPTIONAL } from '../../consent/consent';
import * as styles from './preferences-dialog.module.css';
import { type CategoryTexts, useConsentTexts } from './use-consent-texts';

export interface PreferencesDialogProps {
  onClose: () => void;
  /** Called when the dialog is unmounted and nothing has the focus. */
  onClosed: () => void;
}

const NOTHING: Choices = { analytics: false, marketing: false };

export function PreferencesDialog({ onClose, onClosed }: PreferencesDialogProps) {
  const { dialog, necessaryOnly, signal, categories } = useConsentTexts();
  const optsOut = browserConsent.optsOut();
  const [choices, setChoices] = useState<Choices>(optsOut ? NOTHING : (browserConsent.current() ?? NOTHING));
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(holdPage, []);

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        {/* Radix's own overlay would add an inline style, which the content security policy forbids. */}
        <div className={overlay.veil}>
          <Dialog.Content
            className={`${brackets.brackets} ${styles.dialog}`}
            onOpenAutoFocus={(event) => {
              // Radix would focus the first control: the details of a category without a choice.
              event.preventDefault();
              heading.current?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              onClosed();
            }}
          >
            <Dialog.Title ref={heading} className={styles.heading} tabIndex={-1}>
              {dialog.heading}
            </Dialog.Title>
            <Dialog.Description className={styles.lead}>{dialog.lead}</Dialog.Description>
            {optsOut && <p className={styles.signal}>{signal}</p>}
            <ul className={styles.categories}>
              {categories.map((texts) => {
                const category = OPTIONAL.find((name) => name === texts.name);
                return (
                  <CategoryEntry
                    key={texts.name}
                    texts={texts}
                    alwaysActive={dialog.alwaysActive}
                    details={dialog.details}
                    {...(category && {
                      choice: {
                        isOn: choices[category],
                        isFixed: optsOut,
                        set: (isOn: boolean) => setChoices({ ...choices, [category]: isOn }),
                      },
                    })}
                  />
                );
              })}
            </ul>
            <p className={styles.actions}>
              <Button variant="secondary" onClick={() => finish(chooseNecessary)}>
                {necessaryOnly}
              </Button>
              <Button onClick={() => finish(() => choose(choices))}>{dialog.confirm}</Button>
            </p>
            <Dialog.Close className={styles.close} aria-label={dialog.close}>
              <X aria-hidden size={20} strokeWidth={1.5} />
            </Dialog.Close>
          </Dialog.Content>
        </div>
      </Dialog.Portal>
    </Dialog.Root>
  );

  function finish(save: () => void) {
    save();
    onClose();
  }
}

/** Prevents the page behind from scrolling, and keeps its width if the scrollbar takes up room. */
function holdPage() {
  const { dataset } = document.documentElement;
  dataset.dialog = window.innerWidth > document.documentElement.clientWidth ? 'scrollbar' : '';
  return () => {
    delete dataset.dialog;
  };
}

interface CategoryEntryProps {
  texts: CategoryTexts;
  alwaysActive: string;
  details: string;
  /** Missing for a mandatory category. */
  choice?: { isOn: boolean; isFixed: boolean; set(isOn: boolean): void };
}

/** A category of storage with its purpose, a switch if it is optional, and its entries. */
function CategoryEntry({ texts, alwaysActive, details, choice }: CategoryEntryProps) {
  const { label, text, retention, items } = texts;
  const id = useId();
  return (
    <li className={styles.category}>
      <div className={styles.top}>
        {choice ? (
          <label className={styles.choice}>
            <span className={styles.name}>{label}</span>
            <input
              className={styles.slide}
              type="checkbox"
              checked={choice.isOn}
              disabled={choice.isFixed}
              aria-describedby={id}
              onChange={({ currentTarget }) => choice.set(currentTarget.checked)}
            />
          </label>
        ) : (
          <p className={styles.choice}>
            <span className={styles.name}>{label}</span>
            <span className={styles.always}>{alwaysActive}</span>
          </p>
        )}
        <p id={id}>{text}</p>
      </div>
      <Disclosure summary={details}>
        <p>{retention}</p>
        {items.length > 0 && (
          <dl className={styles.items}>
            {items.map(({ name, purpose, kept }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{purpose}</dd>
                <dd>{kept}</dd>
              </div>
            ))}
          </dl>
        )}
      </Disclosure>
    </li>
  );
}
