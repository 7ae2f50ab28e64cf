import type { ReactNode } from 'react';
import { Page } from '../../parts/page';
import { useConsole } from '../../state/context';
import { LinkRow } from './link-row';

/** The router gives a page its path. */
export interface Routed {
  readonly path: string;
}

const addresses = {
  accounts: '/console/operator',
  plans: '/console/operator/plans',
  incidents: '/console/operator/incidents',
  audit: '/console/operator/audit',
  mails: '/console/operator/mails',
  operators: '/console/operator/operators',
} as const;

interface OperatorPageProps {
  title: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of operators with links to the others. */
export function OperatorPage({ children, ...page }: OperatorPageProps) {
  const { navigation, pages } = useConsole().texts.operator;
  const links = Object.entries(addresses).map(([name, to]) => ({
    to,
    label: pages[name as keyof typeof pages],
  }));
  return (
    <Page {...page}>
      <LinkRow label={navigation} links={links} />
      {children}
    </Page>
  );
}
