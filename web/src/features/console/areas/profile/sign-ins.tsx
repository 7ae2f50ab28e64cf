import { Button } from '../../../../components/ui/button';
import { Loaded } from '../../parts/loaded';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time } from '../../parts/time';
import { useConsole } from '../../state/context';
import { useAction, useData } from '../../state/use-call';

interface SignIn {
  readonly signInId: string;
  readonly startedAt: string;
  readonly isThis: boolean;
}

/** The browsers that are signed in. */
export function SignIns() {
  const { words, api } = useConsole();
  const { signIns: own } = words.profile;
  const list = useData<{ signIns: readonly SignIn[] }>('/profile/sign-ins');
  const end = useAction(async (signInId: string) => {
    await api.call('DELETE', `/profile/sign-ins/${signInId}`, {});
    list.reload();
  });
  const endOthers = useAction(async () => {
    await api.call('DELETE', '/profile/sign-ins', {});
    list.reload();
  });
  return (
    <Block title={own.title}>
      <p>{own.text}</p>
      <Failure error={end.error ?? endOthers.error} />
      <Loaded of={list}>
        {({ signIns }) => (
          <Table label={own.title} columns={[own.startedAt, own.browser, own.actions]}>
            {signIns.map(({ signInId, startedAt, isThis }) => (
              <tr key={signInId}>
                <th scope="row">
                  <Time at={startedAt} />
                </th>
                <td>{isThis ? own.this : own.other}</td>
                <td>
                  {!isThis && (
                    <RowButton label={own.end} of={startedAt} onClick={() => void end.run(signInId)} />
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Loaded>
      <Button look="secondary" onClick={() => void endOthers.run()}>
        {own.endOthers}
      </Button>
    </Block>
  );
}
