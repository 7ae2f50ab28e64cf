import { navigate } from 'gatsby';
import { useConsole } from '../context';
import { Message } from './message';

/** @param _props of the router */
export function Missing(_props: { default?: boolean }) {
  const { title, text, action } = useConsole().words.shell.notFound;
  return <Message title={title} text={text} action={action} onAction={() => void navigate('/console')} />;
}
