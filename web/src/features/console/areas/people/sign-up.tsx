import { Link } from 'gatsby';
import { Fragment, useState } from 'react';
import { fill } from '../../../../fill';
import { Field, Form, type Values } from '../../parts/form';
import { Page } from '../../parts/page';
import { useConsole } from '../../state/context';
import { usePlans } from '../../state/plans';
import { useAction } from '../../state/use-call';
import { MailSent } from './mail-sent';

export default function SignUpPage() {
  const { words, api } = useConsole();
  const { email, signUp } = words.people;
  const plan = useWantedPlan();
  const [sentTo, setSentTo] = useState<string>();
  const begin = (address: string) =>
    api.call('POST', '/sign-up', { email: address, ...(plan && { plan: plan.tier }) });
  const send = useAction(async ({ email: address = '' }: Values) => {
    await begin(address);
    setSentTo(address);
  });
  if (sentTo !== undefined) {
    return (
      <MailSent
        text={fill(signUp.sent, { email: sentTo })}
        onResend={() => begin(sentTo)}
        onBack={() => setSentTo(undefined)}
      />
    );
  }
  return (
    <Page narrow title={signUp.title} lead={signUp.lead}>
      {plan && plan.pricing.basePrice !== 0 && <p>{fill(signUp.plan, { plan: plan.displayName })}</p>}
      <Form action={signUp.action} on={send}>
        <Field name="email" type="email" label={email} autoComplete="email" required maxLength={254} />
      </Form>
      <p>
        {signUp.terms}{' '}
        {signUp.termsLinks.map(({ label, to }, index) => (
          <Fragment key={to}>
            {index > 0 && ` ${signUp.and} `}
            <a href={to}>{label}</a>
          </Fragment>
        ))}
        .
      </p>
      <p>
        <Link to="/console/sign-in">{signUp.known}</Link>
      </p>
    </Page>
  );
}

/** The plan of the link that led here. */
function useWantedPlan() {
  const wanted = new URLSearchParams(window.location.search).get('plan');
  return usePlans().find(({ tier }) => tier === wanted);
}
