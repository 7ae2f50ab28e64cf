import type { SignIn } from '@presenza/contract/console/types.d.ts';
import { Button } from '../../../../components/ui/button';
import { Status } from '../../../../components/ui/status';
import { fill } from '../../../../fill';
import { Loaded } from '../../parts/loaded';
import { Failure } from '../../parts/message';
import { Block } from '../../parts/page';
import { RowButton } from '../../parts/row-button';
import { Table } from '../../parts/table';
import { Time, timeOf } from '../../parts/time';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { usePrompts } from '../../state/prompts';
import { useAction, useData } from '../../state/queries';

/** The browsers that are signed in, this one first. */
export function SignIns() {
  const { texts, api } = useConsole();
  const { notify } = usePrompts();
  const { signIns: text } = texts.profile;
  const list = useData('/profile/sign-ins', {});
  const nameOf = useBrowserName();
  const end = useAction(async (signIn: SignIn) => {
    const { signInId } = signIn;
    await dataOf(api.DELETE('/profile/sign-ins/{signInId}', { params: { path: { signInId } } }));
    notify(fill(text.ended, { browser: nameOf(signIn) }));
    void list.refetch();
  });
  const endOthers = useAction(async () => {
    await dataOf(api.DELETE('/profile/sign-ins'));
    notify(text.endedOthers);
    void list.refetch();
  });
  return (
    <Block title={text.title}>
      <p>{text.text}</p>
      <Failure error={end.error ?? endOthers.error} />
      <Loaded query={list}>
        {({ signIns }) => (
          <>
            <Table
              label={text.title}
              columns={[text.browser, text.network, text.usedAt, text.startedAt, text.actions]}
            >
              {[...signIns]
                .sort((a, b) => Number(b.isThis) - Number(a.isThis))
                .map((signIn) => (
                  <tr key={signIn.signInId}>
                    <th scope="row">{nameOf(signIn)}</th>
                    <td>{signIn.network ?? text.unknownNetwork}</td>
                    <td>
                      <Time at={signIn.usedAt} />
                    </td>
                    <td>
                      <Time at={signIn.startedAt} />
                    </td>
                    <td>
                      {signIn.isThis ? (
                        <Status status="reached" label={text.this} />
                      ) : (
                        <RowButton
                          label={text.end}
                          row={`${nameOf(signIn)}, ${timeOf(signIn.startedAt)}`}
                          onClick={() => end.run(signIn)}
                        />
                      )}
                    </td>
                  </tr>
                ))}
            </Table>
            {signIns.length > 1 && (
              <div>
                <Button
                  variant="secondary"
                  aria-busy={endOthers.isPending || undefined}
                  onClick={() => endOthers.run()}
                >
                  {text.endOthers}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Block>
  );
}

function useBrowserName(): (signIn: SignIn) => string {
  const { name, unknown } = useConsole().texts.profile.signIns;
  return ({ browser, system }) =>
    browser && system ? fill(name, { browser, system }) : (browser ?? system ?? unknown);
}
