/** The command menu: a field that filters actions and pages, operated by the keyboard alone (ARIA: combobox with a listbox). */
import { Content, Portal, Root, Title } from '@radix-ui/react-dialog';
import { useEffect, useId, useRef, useState } from 'react';
import { ComboboxField } from '../../../components/ui/combobox-field';
import * as overlay from '../../../components/ui/veil.module.css';
import { fill } from '../../../fill';
import { focusAgain } from '../parts/dialog';
import { useConsole } from '../state/context';
import * as styles from './command-menu.module.css';
import { type Command, useCommands } from './commands';
import { matching } from './matching';

interface CommandMenuProps {
  /** Ends the sign-in. */
  onSignOut(): void;
  onClose(): void;
}

export function CommandMenu({ onSignOut, onClose }: CommandMenuProps) {
  const { commands: texts } = useConsole().texts.shell;
  const all = useCommands(onSignOut);
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const matches = matching(all, text);
  const list = useId();
  const [opener] = useState(() => document.activeElement);
  const chosen = useRef<Command>(undefined);
  const choose = (command: Command) => {
    chosen.current = command;
    onClose();
  };
  // The command runs once the focus is back, so that the dialog that it opens knows where to return it.
  const leave = (event: Event) => {
    event.preventDefault();
    focusAgain(opener);
    chosen.current?.run();
  };
  return (
    <Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Portal>
        <div className={overlay.veil}>
          <Content className={styles.menu} aria-describedby={undefined} onCloseAutoFocus={leave}>
            <Title className="visually-hidden">{texts.title}</Title>
            <ComboboxField
              className={styles.input}
              type="text"
              maxLength={100}
              label={texts.label}
              text={text}
              list={list}
              count={matches.length}
              active={active}
              onText={setText}
              onActive={setActive}
              onChoose={(position) => choose(matches[position] as Command)}
            />
            {matches.length > 0 && (
              <Options
                id={list}
                commands={matches}
                active={active}
                isFiltered={text !== ''}
                onChoose={choose}
              />
            )}
            <p role="status" className={matches.length > 0 ? 'visually-hidden' : styles.none}>
              {matches.length > 0 ? fill(texts.count, { count: matches.length }) : fill(texts.none, { text })}
            </p>
          </Content>
        </div>
      </Portal>
    </Root>
  );
}

interface OptionsProps {
  id: string;
  commands: readonly Command[];
  active: number;
  /** Matches stand in the order of their rank, without groups. */
  isFiltered: boolean;
  onChoose(command: Command): void;
}

function Options({ id, commands, active, isFiltered, onChoose }: OptionsProps) {
  const { title, groups } = useConsole().texts.shell.commands;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`[id="${id}-${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const option = (command: Command) => {
    const position = commands.indexOf(command);
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
      <div
        key={command.id}
        id={`${id}-${position}`}
        role="option"
        aria-selected={position === active}
        tabIndex={-1}
        className={styles.option}
        onClick={() => onChoose(command)}
      >
        {command.label}
        {isFiltered && <span className={styles.group}>{groups[command.group]}</span>}
      </div>
    );
  };
  const names = [...new Set(commands.map(({ group }) => group))];
  return (
    <div ref={list} id={id} className={styles.options} role="listbox" aria-label={title}>
      {isFiltered
        ? commands.map(option)
        : names.map((name) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, not fieldsets
            <div key={name} role="group" aria-label={groups[name]}>
              <div className={styles.heading} aria-hidden="true">
                {groups[name]}
              </div>
              {commands.filter(({ group }) => group === name).map(option)}
            </div>
          ))}
    </div>
  );
}
