/** Random ids of what a session has. */
import { randomBase62 } from '../../../crypto/base62';

export const newAttemptId = () => `att_${randomBase62(20)}`;
/** A new id of one check of an attempt. */
export const newCheckerId = () => `chk_${randomBase62(22)}`;
export const newEventId = () => `evt_${randomBase62(22)}`;
