/** The pages of operators, below /console/operator. */
import { Router } from '@gatsbyjs/reach-router';
import { Missing } from '../../parts/missing';
import { AccountPage } from './account-page';
import { AccountsPage } from './accounts-page';
import { AuditPage } from './audit-page';
import { IncidentsPage } from './incidents-page';
import { MailsPage } from './mails-page';
import { OperatorsPage } from './operators-page';
import { PlansPage } from './plans-page';

export default function OperatorPages() {
  return (
    <Router basepath="/console/operator" primary={false}>
      <AccountsPage path="/" />
      <AccountPage path="accounts/:account" />
      <AccountPage path="accounts/:account/:part" />
      <PlansPage path="plans" />
      <IncidentsPage path="incidents" />
      <AuditPage path="audit" />
      <MailsPage path="mails" />
      <OperatorsPage path="operators" />
      <Missing default />
    </Router>
  );
}
