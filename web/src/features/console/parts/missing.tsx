import { navigate } from 'gatsby';
import { useConsole } from '../state/context';
import { Message } from './message';

/** @param _props of the router */
export function Missing(_props: { default?: boolean }) {
  const { texts, profile } = useConsole();
  const { notFound, noAccount } = texts.shell;
  // After leaving the last account, the overview is missing as well.
  const [{ title, text, action }, to] =
    profile?.accounts.length === 0 ? [noAccount, '/console/profile'] : [notFound, '/console'];
  return <Message title={title} text={text} action={action} onAction={() => void navigate(to)} />;
}
