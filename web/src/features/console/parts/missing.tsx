import { Link, navigate } from 'gatsby';
import { Button } from '../../../components/ui/button';
import { dataOf } from '../state/api';
import { useConsole } from '../state/context';
import { useAction } from '../state/queries';
import { Failure, Message } from './message';
import { Page } from './page';

/** @param _props of the router */
export function Missing(_props: { default?: boolean }) {
  const { texts, profile } = useConsole();
  const { title, text, action } = texts.shell.notFound;
  // After leaving the last account, the overview is missing as well.
  if (profile?.accounts.length === 0) return <NoAccount />;
  return <Message title={title} text={text} action={action} onAction={() => void navigate('/console')} />;
}

/** Somebody who left their account, or was removed, creates another or waits for an invitation. */
function NoAccount() {
  const { texts, api, refresh } = useConsole();
  const { title, text, action, profile } = texts.shell.noAccount;
  const create = useAction(async () => {
    await dataOf(api.POST('/accounts'));
    await refresh();
    await navigate('/console');
  });
  return (
    <Page title={title} lead={text}>
      <Failure error={create.error} />
      <div>
        <Button aria-busy={create.isPending || undefined} onClick={() => create.run()}>
          {action}
        </Button>
      </div>
      <p>
        <Link to="/console/profile">{profile}</Link>
      </p>
    </Page>
  );
}
