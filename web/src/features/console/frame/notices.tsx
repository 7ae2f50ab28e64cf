/** The outcomes of actions, at the edge of the window. They leave by themselves, because the page shows the outcome as well. */
import { Action, Close, Description, Provider, Root, Viewport } from '@radix-ui/react-toast';
import X from 'lucide-react/dist/esm/icons/x.mjs';
import { useErrorText } from '../parts/message';
import { useConsole } from '../state/context';
import { type Notice, usePrompts } from '../state/prompts';
import { useAction } from '../state/queries';
import * as styles from './notices.module.css';

/** How long a notice stays, and one whose action can be reversed. */
const stayMs = 6_000;
const reversibleMs = 12_000;

export function Notices() {
  const { notices: texts } = useConsole().texts.shell;
  const { notices } = usePrompts();
  return (
    <Provider label={texts.title} swipeDirection="right">
      {notices.map((notice) => (
        <NoticeBox key={notice.id} notice={notice} />
      ))}
      <Viewport className={styles.notices} label={texts.label} />
    </Provider>
  );
}

function NoticeBox({ notice: { id, text, undo } }: { notice: Notice }) {
  const { notices: texts, close } = useConsole().texts.shell;
  const { dismiss } = usePrompts();
  const reverse = useAction(async () => {
    await undo?.();
    dismiss(id);
  });
  const failure = useErrorText(reverse.error);
  return (
    <Root
      className={styles.notice}
      duration={failure ? Number.POSITIVE_INFINITY : undo ? reversibleMs : stayMs}
      onOpenChange={(isOpen) => !isOpen && dismiss(id)}
    >
      <Description className={styles.text}>{failure ?? text}</Description>
      {undo && (
        <Action
          className={styles.undo}
          altText={texts.undoElsewhere}
          aria-busy={reverse.isPending || undefined}
          onClick={(event) => {
            // It closes once the action is reversed.
            event.preventDefault();
            reverse.run();
          }}
        >
          {texts.undo}
        </Action>
      )}
      <Close className={styles.close} aria-label={close}>
        <X aria-hidden size={16} strokeWidth={1.75} />
      </Close>
    </Root>
  );
}
