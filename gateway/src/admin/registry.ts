/** All operations for operators. */
import { accountOperations } from './accounts';
import { auditOperations } from './audit';
import { categoryOperations } from './categories';
import { deliveryOperations } from './deliveries';
import { incidentOperations } from './incidents';
import { invoiceOperations } from './invoices';
import { keyOperations } from './keys';
import { mailOperations } from './mails';
import type { Operation } from './operation';
import { operatorOperations } from './operators';
import { peopleOperations } from './people';
import { planOperations } from './plans';
import { requestOperations } from './requests';
import { sessionOperations } from './sessions';
import { usageOperations } from './usage';
import { webhookOperations } from './webhooks';

export const registry: readonly Operation[] = [
  ...accountOperations,
  ...planOperations,
  ...keyOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...categoryOperations,
  ...sessionOperations,
  ...requestOperations,
  ...usageOperations,
  ...invoiceOperations,
  ...auditOperations,
  ...incidentOperations,
  ...mailOperations,
  ...operatorOperations,
  ...peopleOperations,
];
