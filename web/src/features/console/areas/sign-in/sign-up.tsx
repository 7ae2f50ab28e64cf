import { Link } from 'gatsby';
import { Fragment } from 'react';
import { fill } from '../../../../fill';
import { dataOf } from '../../state/api';
import { useConsole } from '../../state/context';
import { usePlans } from '../../state/plans';
import { MailedLink } from './mailed-link';

export default function SignUpPage() {
  const { texts, api, settings } = useConsole();
  const { signUp } = texts.people;
  const plan = useWantedPlan();
  return (
    <MailedLink
      texts={{ ...signUp, lead: fill(signUp.lead, { host: window.location.host, brand: settings.brand }) }}
      onSend={(email) =>
        dataOf(api.POST('/sign-up', { body: plan ? { email, plan: plan.tier } : { email } }))
      }
      autoComplete="email"
      note={plan && plan.pricing.basePrice !== 0 && <p>{fill(signUp.plan, { plan: plan.displayName })}</p>}
    >
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
    </MailedLink>
  );
}

/** The plan of the link that led here. */
function useWantedPlan() {
  const wanted = new URLSearchParams(window.location.search).get('plan');
  return usePlans().find(({ tier }) => tier === wanted);
}
