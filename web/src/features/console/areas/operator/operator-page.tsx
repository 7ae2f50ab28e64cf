import { Link } from 'gatsby';
import type { ReactNode } from 'react';
import { useConsole } from '../../context';
import { Loaded } from '../../parts/loaded';
import { Page } from '../../parts/page';
import type { Loaded as State } from '../../use-call';
import { LinkRow } from './link-row';

/** The router gives a page its path. */
export interface Routed {
  readonly path: string;
}

const addresses = {
  accounts: '/console/operator',
  plans: '/console/operator/plans',
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
  const { navigation, pages } = useConsole().words.operator;
  const links = Object.entries(addresses).map(([name, to]) => ({
    ...{ to, label: pages[name as keyof typeof pages] },
  }));
  return (
    <Page {...page}>
      <LinkRow label={navigation} links={links} />
      {children}
    </Page>
  );
}

interface OperatorDataProps<T> {
  of: Pick<State<T>, 'data' | 'error' | 'reload'>;
  children(data: T): ReactNode;
}

/** The data of an operators' call, or how to sign in for it. */
export function OperatorData<T>({ of, children }: OperatorDataProps<T>) {
  const { text, action } = useConsole().words.operator.secondFactor;
  if (of.error?.code !== 'SECOND_FACTOR_NEEDED') return <Loaded of={of}>{children}</Loaded>;
  return (
    <div role="alert">
      <p>{text}</p>
      <p>
        <Link to="/console/profile">{action}</Link>
      </p>
    </div>
  );
}
