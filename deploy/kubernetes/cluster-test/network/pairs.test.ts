import { compare, pairsOf, titleOf } from './pairs.mjs';

const labels = (component: string) => ({
  'app.kubernetes.io/name': 'presenza',
  'app.kubernetes.io/component': component,
});
const workload = (kind: string, name: string, port: number) => ({
  kind,
  metadata: { name },
  spec: {
    template: {
      metadata: { labels: labels(name) },
      spec: { containers: [{ ports: [{ name: 'http', containerPort: port }] }] },
    },
  },
});
const policy = (name: string, spec: object) => ({ kind: 'NetworkPolicy', metadata: { name }, spec });
const manifests = [
  workload('StatefulSet', 'gateway', 8080),
  workload('Deployment', 'inference', 9100),
  policy('default-deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }),
  policy('gateway', {
    podSelector: { matchLabels: labels('gateway') },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'test-ingress' } } }],
        ports: [{ port: 'http' }],
      },
    ],
    egress: [
      { to: [{ podSelector: { matchLabels: labels('inference') } }], ports: [{ port: 9100 }] },
      {
        to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] } }],
        ports: [{ port: 443 }],
      },
    ],
  }),
  policy('inference', {
    podSelector: { matchLabels: labels('inference') },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [{ from: [{ podSelector: { matchLabels: labels('gateway') } }], ports: [{ port: 'http' }] }],
  }),
];
const where = {
  namespace: 'test',
  outside: { ingress: 'test-ingress', neighbor: 'test-neighbor' },
  publicAddress: '1.1.1.1',
};

test('the pairs follow from the policies', () => {
  const { pairs } = pairsOf(manifests, where);
  const open = pairs.filter((pair) => pair.open).map(titleOf);
  expect(open.sort()).toEqual([
    'gateway -> inference TCP/9100',
    'gateway -> public TCP/443',
    'ingress -> gateway TCP/8080',
  ]);
  const closed = pairs.filter((pair) => !pair.open).map(titleOf);
  expect(closed).toEqual(
    expect.arrayContaining([
      'neighbor -> gateway TCP/8080',
      'stranger -> inference TCP/9100',
      'gateway -> metadata TCP/80',
      'gateway -> public TCP/80',
      'inference -> dns UDP/53',
    ]),
  );
});

test('connections that no policy of the installation decides are left out', () => {
  const titles = pairsOf(manifests, where).pairs.map(titleOf);
  expect(titles).not.toContain('neighbor -> public TCP/443');
  expect(titles).not.toContain('gateway -> gateway TCP/8080');
  expect(titles).toContain('gateway -> public TCP/443');
});

const pair = (from: string, to: string, open: boolean, seen: boolean) => ({
  from,
  to,
  port: 'TCP/80',
  open,
  seen,
});

test('a connection is a fault where it differs from the policies', () => {
  const pairs = [pair('a', 'b', true, true), pair('a', 'c', true, false), pair('b', 'c', false, true)];
  const comparison = compare([...pairs, pair('c', 'a', false, false)], new Set());
  expect(comparison).toEqual({
    enforced: true,
    faults: ['a -> c TCP/80 is closed', 'b -> c TCP/80 is open'],
    tested: 4,
    untested: [],
  });
});

test('policies are not enforced where every connection opens', () => {
  expect(compare([pair('a', 'b', true, true), pair('b', 'a', false, true)], new Set()).enforced).toBe(false);
});

test('an address that nothing responds at proves nothing', () => {
  const pairs = [
    pair('a', 'b', false, false),
    pair('a', 'metadata', false, false),
    pair('a', 'public', true, false),
  ];
  expect(compare(pairs, new Set(['metadata TCP/80']))).toMatchObject({
    tested: 2,
    faults: [],
    untested: ['public TCP/80'],
  });
});
