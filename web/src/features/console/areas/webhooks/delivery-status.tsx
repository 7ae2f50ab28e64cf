import type { WebhookDeliveryState } from '@presenza/contract/console/types.d.ts';
import { Status } from '../../../../components/ui/status';

const looks = { pending: 'unmeasured', delivered: 'reached', dead: 'missed', dropped: 'none' };

export const DeliveryStatus = ({ state, label }: { state: WebhookDeliveryState; label: string }) => (
  <Status status={looks[state]} label={label} />
);
