/**
 * The words of each area. The types come from the files, so that a missing word is an error; the words themselves come
 * from GraphQL, which keeps them out of the scripts.
 */
import type billing from '../../../content/console/billing.json';
import type home from '../../../content/console/home.json';
import type keys from '../../../content/console/keys.json';
import type members from '../../../content/console/members.json';
import type operator from '../../../content/console/operator.json';
import type people from '../../../content/console/people.json';
import type playground from '../../../content/console/playground.json';
import type profile from '../../../content/console/profile.json';
import type requests from '../../../content/console/requests.json';
import type sessions from '../../../content/console/sessions.json';
import type settings from '../../../content/console/settings.json';
import type shell from '../../../content/console/shell.json';
import type usage from '../../../content/console/usage.json';
import type webhooks from '../../../content/console/webhooks.json';

export interface Words {
  readonly billing: (typeof billing)['words'];
  readonly home: (typeof home)['words'];
  readonly keys: (typeof keys)['words'];
  readonly members: (typeof members)['words'];
  readonly operator: (typeof operator)['words'];
  readonly people: (typeof people)['words'];
  readonly playground: (typeof playground)['words'];
  readonly profile: (typeof profile)['words'];
  readonly requests: (typeof requests)['words'];
  readonly sessions: (typeof sessions)['words'];
  readonly settings: (typeof settings)['words'];
  readonly shell: (typeof shell)['words'];
  readonly usage: (typeof usage)['words'];
  readonly webhooks: (typeof webhooks)['words'];
}
