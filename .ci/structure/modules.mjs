// The modules of the repository and the imports between them. The map in `ARCHITECTURE.md` describes each module, and names those
// inside others below it.

/**
 * The modules that each module may import, apart from itself. A file belongs to the module with the longest path. Tests may
 * import any module, except for the arrows of `NEVER`.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const MODULES = {
  'gateway/contract': [],
  'gateway/contract/apps': ['gateway/contract', 'web/component'],
  'gateway/contract/clients': ['gateway/contract', 'gateway/harness'],
  'gateway/contract/console': ['gateway/contract', 'gateway/contract/clients', 'gateway/harness'],
  'gateway/harness': ['gateway/contract'],
  gateway: ['gateway/contract', 'inference'],
  inference: ['gateway/contract', 'gateway/harness'],
  // The kits measure the whole product, so this module alone knows both tiers.
  'inference/src/evaluation': ['gateway/contract', 'gateway/harness', 'gateway', 'inference'],
  'web/component': ['gateway/contract'],
  web: [
    'gateway/contract',
    'gateway/contract/clients',
    'gateway/contract/console',
    'gateway/harness',
    'web/component',
  ],
  benchmarks: ['gateway/contract', 'gateway/harness', 'gateway', 'inference', 'inference/src/evaluation'],
  deploy: ['gateway/contract', 'gateway/harness'],
  '.ci': ['gateway/contract', 'gateway/harness', 'web'],
};

/** Arrows that no file may have, with the reason. @type {readonly { from: string, to: string, because: string }[]} */
export const NEVER = [
  { from: 'deploy', to: 'benchmarks', because: 'gateway/harness holds the parts of both' },
  { from: 'benchmarks', to: 'deploy', because: 'gateway/harness holds the parts of both' },
  { from: 'web/src/components', to: 'web/src/features', because: 'features are made of components' },
  { from: 'gateway/src/config', to: 'gateway/src/services', because: 'services receive their settings' },
  {
    from: 'gateway/src/admin/operation.ts',
    to: 'gateway/src/stores',
    because: 'services declare what they need',
  },
  { from: 'gateway/src/admin/operation.ts', to: 'ioredis', because: 'services declare what they need' },
];
