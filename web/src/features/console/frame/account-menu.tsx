/** The menu of the person who is signed in. */
import {
  Content,
  Item,
  Label,
  Portal,
  RadioGroup,
  RadioItem,
  Root,
  Separator,
  Trigger,
} from '@radix-ui/react-dropdown-menu';
import { Link } from 'gatsby';
import Check from 'lucide-react/dist/esm/icons/check.mjs';
import { type ComponentProps, useEffect, useState } from 'react';
import { useSite } from '../../../components/use-site';
import { useRootChoice } from '../../../root-choice';
import { MODE } from '../../theme/themes';
import { useConsole } from '../state/context';
import { AccountButton } from './account-button';
import * as styles from './account-menu.module.css';

interface AccountMenuProps extends Pick<ComponentProps<typeof Root>, 'defaultOpen'> {
  /** Whether the button that this menu replaces had the focus. */
  hadFocus: boolean;
  onSignOut(): void;
}

export function AccountMenu({ hadFocus, onSignOut, defaultOpen = false }: AccountMenuProps) {
  const { texts, profile } = useConsole();
  const { pages: names, signOut, theme } = texts.shell;
  const { modes } = useSite();
  const [mode, chooseMode] = useRootChoice(MODE);
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  useEffect(() => {
    if (hadFocus && !defaultOpen) button?.focus();
  }, [button, hadFocus, defaultOpen]);
  if (!profile) return null;
  return (
    // A modal menu would add an inline style against scrolling, which the content security policy forbids.
    <Root modal={false} defaultOpen={defaultOpen}>
      <Trigger asChild>
        <AccountButton ref={setButton} email={profile.email} />
      </Trigger>
      {/* In the header, so that it is part of a landmark. */}
      <Portal container={button?.closest('header')}>
        <Content className={styles.menu} align="end" sideOffset={6} collisionPadding={12} loop>
          <Label className={styles.email}>{profile.email}</Label>
          <Separator className={styles.separator} />
          <Item className={styles.item} asChild>
            <Link to="/console/profile">{names.profile}</Link>
          </Item>
          <Separator className={styles.separator} />
          <Label className={styles.label}>{theme}</Label>
          <RadioGroup value={mode} onValueChange={chooseMode} aria-label={theme}>
            {modes.choices.map(({ name, label }) => (
              <RadioItem
                key={name}
                className={styles.item}
                value={name}
                // The person sees the choice, and may want another.
                onSelect={(event) => event.preventDefault()}
              >
                {label}
                {name === mode && <Check aria-hidden size={16} strokeWidth={1.75} />}
              </RadioItem>
            ))}
          </RadioGroup>
          <Separator className={styles.separator} />
          <Item className={styles.item} onSelect={onSignOut}>
            {signOut}
          </Item>
        </Content>
      </Portal>
    </Root>
  );
}
