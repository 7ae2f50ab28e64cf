/** Menus, dialogs and notices above a page. They load on demand, so that no page waits for them. */

export { AccountMenu } from './account-menu';
export { CommandMenu } from './command-menu';
export { IdentityDialog } from './identity-dialog';
export { Notices } from './notices';
