/** What the reference's page query gives: gatsby/reference makes it of the contract. */
import type { Sample } from '../code/code-tabs';

export interface Parameter {
  name: string;
  type: string;
  required: boolean;
  extension: boolean;
  description: string;
  bounds: string[];
  values: string[];
  example?: string | null;
}

export interface Field extends Parameter {
  path: string;
  /** 0 at the top of the body. */
  depth: number;
}

export interface Example {
  label: string;
  html: string;
}

export interface Body {
  /** Media type. */
  type: string;
  extension: boolean;
  description: string | null;
  fields: Field[];
  examples: Example[];
}

export interface Status {
  status: string;
  description: string;
  codes: string[];
}

export interface Operation {
  operationId: string;
  anchor: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  extension: boolean;
  auth: string[];
  isSessionCall: boolean;
  maxBody: string | null;
  parameters: (Parameter & { place: string })[];
  requestDescription: string | null;
  request: Body[];
  answer: Body[];
  statuses: Status[];
  samples: Sample[];
}

export interface Webhook {
  eventType: string;
  label: string;
  when: string;
  finalStatus: string | null;
  statuses: Status[];
  examples: Example[];
}

interface ApiError {
  code: string;
  status: number;
  title: string;
  message: string;
  retryable: boolean;
  extension: boolean | null;
  advice: string;
  reasons: { name: string; message: string }[];
}

export interface Plan {
  tier: string;
  displayName: string;
  limits: { burst: { limit: number; windowSeconds: number }; concurrency: number };
}

export interface Words {
  required: string;
  optional: string;
  extension: string;
  extensionNote: string;
  values: string;
  constant: string;
  moreFields: string;
  retryable: string;
  notRetryable: string;
  headings: Record<
    | 'operations'
    | 'parameters'
    | 'request'
    | 'response'
    | 'statuses'
    | 'examples'
    | 'answers'
    | 'reasons'
    | 'example',
    string
  >;
  auth: { label: string };
  plans: Record<'plan' | 'burst' | 'concurrency' | 'burstValue', string>;
  events: Record<'event' | 'when' | 'finalStatus' | 'none', string>;
}

export interface ReferenceData {
  contentReference: Words;
  allContractOperation: { nodes: Operation[] };
  allContractWebhook: { nodes: Webhook[] };
  allContractHeader: { nodes: Parameter[] };
  allContractWebhookHeader: { nodes: Parameter[] };
  allContractSchema: { nodes: { name: string; members: Field[] }[] };
  allContractError: { nodes: ApiError[] };
  allContractPlan: { nodes: Plan[] };
  allWebhookReceiver: { nodes: Sample[] };
}
