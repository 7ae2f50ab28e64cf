// Rules for every pod: minimal rights, limits, probes, and variables that the kubelet can resolve.

import type { Workload } from './manifests';
import type { Container } from './types';

/** Sentences on what a workload lacks. */
export function faultsOf({ title, pod, containers, ends }: Workload): string[] {
  const fault = (when: unknown, sentence: string) => (when ? [`${title}: ${sentence}`] : []);
  return [
    ...fault(pod.securityContext?.runAsNonRoot !== true, 'may run as root'),
    ...fault(!pod.securityContext?.runAsUser, 'names no user'),
    ...fault(pod.securityContext?.seccompProfile?.type !== 'RuntimeDefault', 'has no seccomp profile'),
    ...fault(pod.automountServiceAccountToken !== false, 'has a token of the API server'),
    ...fault(!pod.serviceAccountName, 'has no account of its own'),
    ...fault(pod.enableServiceLinks !== false, 'gets variables such as GATEWAY_PORT from Services'),
    ...fault(pod.hostNetwork || pod.hostPID || pod.hostIPC, 'shares a namespace of its host'),
    ...fault(
      pod.volumes?.some((volume) => 'hostPath' in volume),
      'mounts a path of its host',
    ),
    ...containers.flatMap((container) => [
      ...faultsOfContainer(container, fault),
      ...(ends ? [] : probeFaults(container, fault)),
    ]),
  ];
}

type Fault = (when: unknown, sentence: string) => string[];

function faultsOfContainer({ image, resources, securityContext }: Container, fault: Fault): string[] {
  const [, tag = ''] = /:([^:/@]+)(?:@sha256:[0-9a-f]{64})?$/.exec(image) ?? [];
  return [
    ...fault(!securityContext?.readOnlyRootFilesystem, 'may write to its image'),
    ...fault(securityContext?.allowPrivilegeEscalation !== false, 'may gain rights'),
    ...fault(securityContext?.privileged, 'is privileged'),
    ...fault(String(securityContext?.capabilities?.drop) !== 'ALL', 'keeps capabilities'),
    ...fault(securityContext?.capabilities?.add, 'adds capabilities'),
    ...fault(!/^v?\d+\.\d+\.\d+/.test(tag), `has no full version: ${image}`),
    // Presenza's own images get their digest from the operator's registry.
    ...fault(!/@sha256:|(?:^|\/)presenza\//.test(image), `has no digest: ${image}`),
    ...['cpu', 'memory', 'ephemeral-storage'].flatMap((resource) => [
      ...fault(!resources?.requests?.[resource], `requests no ${resource}`),
      ...fault(!resources?.limits?.[resource], `has no limit of ${resource}`),
    ]),
  ];
}

/** Finds references the kubelet cannot resolve: it replaces $(X) only if X is defined earlier, and leaves the others as they are. */
export function referenceFaults({ name, env = [], command = [], args = [] }: Container): string[] {
  const unknown = (text: string, before: readonly string[]) =>
    [...text.matchAll(/(?<!\$)\$\(([\w.-]+)\)/g)]
      .filter(([, variable = '']) => !before.includes(variable))
      .map(([reference]) => `${name}: nothing before it says what ${reference} is`);
  const names = env.map((variable) => variable.name);
  return [
    ...env.flatMap(({ value = '' }, i) => unknown(value, names.slice(0, i))),
    ...[...command, ...args].flatMap((text) => unknown(text, names)),
  ];
}

const probeFaults = ({ startupProbe, livenessProbe, readinessProbe }: Container, fault: Fault) =>
  Object.entries({ startupProbe, livenessProbe, readinessProbe }).flatMap(([name, probe]) =>
    fault(!(probe?.httpGet || probe?.exec), `has no ${name}`),
  );
