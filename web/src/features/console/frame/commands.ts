/** The entries of the command menu: what the person may do and open, in the chosen account. */
import { navigate } from 'gatsby';
import { useSite } from '../../../components/use-site';
import { fill } from '../../../fill';
import { useRootChoice } from '../../../root-choice';
import { MODE } from '../../theme/themes';
import { addressOf, mayOpen, pages } from '../pages/routes';
import { commandedTask } from '../state/commanded-task';
import { useConsole } from '../state/context';

export interface Command {
  readonly id: string;
  readonly label: string;
  /** A key of `groups` in the texts. */
  readonly group: 'actions' | 'pages' | 'accounts' | 'appearance' | 'help';
  /** Other names, by which people find it. */
  readonly keywords?: string;
  run(): void;
}

/** Actions that begin on a page, with the call that they need. */
const starts = [
  { id: 'createKey', call: 'keysCreate', page: 'keys' },
  { id: 'addEndpoint', call: 'webhooksCreate', page: 'webhooks' },
  { id: 'invite', call: 'membersInvite', page: 'members' },
  { id: 'startCheck', call: 'playgroundLiveness', page: 'sessions' },
] as const;

/** @param signOut ends the sign-in */
export function useCommands(signOut: () => void): readonly Command[] {
  const state = useConsole();
  const { modes } = useSite();
  const [mode, chooseMode] = useRootChoice(MODE);
  const { profile, account, may, chooseAccount, texts } = state;
  const { commands, pages: names, signOut: signOutLabel } = texts.shell;
  const others = profile?.accounts.filter(({ accountId }) => accountId !== account?.accountId) ?? [];
  const listed = pages.filter(({ name, audience }) => name && mayOpen(audience, state));
  return [
    ...starts
      .filter(({ call }) => may(call))
      .map(({ id, page }) => ({
        ...commands.actions[id],
        id,
        group: 'actions' as const,
        run: () => void navigate(`/console/${page}`, { state: commandedTask }),
      })),
    ...listed.flatMap(({ path, name }) =>
      name ? [pageCommand(path, names[name], commands.pageKeywords[name])] : [],
    ),
    pageCommand('profile', names.profile, commands.pageKeywords.profile),
    ...others.map(({ accountId, name }) => ({
      id: accountId,
      label: fill(commands.switchTo, { account: name }),
      group: 'accounts' as const,
      run: () => chooseAccount(accountId),
    })),
    ...modes.choices
      .filter(({ name }) => name !== mode)
      .map(({ name, label }) => ({
        id: `mode-${name}`,
        label: fill(commands.mode, { mode: label.toLowerCase() }),
        group: 'appearance' as const,
        keywords: commands.modeKeywords,
        run: () => chooseMode(name),
      })),
    ...commands.links.map(({ label, to }) => ({
      id: to,
      label,
      group: 'help' as const,
      run: () => void navigate(to),
    })),
    { id: 'signOut', label: signOutLabel, group: 'help', keywords: commands.signOutKeywords, run: signOut },
  ];
}

const pageCommand = (path: string, label: string, keywords: string): Command => ({
  id: path,
  label,
  group: 'pages',
  keywords,
  run: () => void navigate(addressOf(path)),
});
