/**
 * The texts of each area. A new file in `content/console` needs a line here. The types come from the files, so that a missing
 * text is an error; the texts themselves come from GraphQL, which keeps them out of the scripts.
 */
import type billing from '../../../../content/console/billing.json';
import type home from '../../../../content/console/home.json';
import type keys from '../../../../content/console/keys.json';
import type members from '../../../../content/console/members.json';
import type operator from '../../../../content/console/operator.json';
import type people from '../../../../content/console/people.json';
import type playground from '../../../../content/console/playground.json';
import type profile from '../../../../content/console/profile.json';
import type requests from '../../../../content/console/requests.json';
import type sessions from '../../../../content/console/sessions.json';
import type settings from '../../../../content/console/settings.json';
import type shell from '../../../../content/console/shell.json';
import type usage from '../../../../content/console/usage.json';
import type webhooks from '../../../../content/console/webhooks.json';

export interface Texts {
  readonly billing: (typeof billing)['texts'];
  readonly home: (typeof home)['texts'];
  readonly keys: (typeof keys)['texts'];
  readonly members: (typeof members)['texts'];
  readonly operator: (typeof operator)['texts'];
  readonly people: (typeof people)['texts'];
  readonly playground: (typeof playground)['texts'];
  readonly profile: (typeof profile)['texts'];
  readonly requests: (typeof requests)['texts'];
  readonly sessions: (typeof sessions)['texts'];
  readonly settings: (typeof settings)['texts'];
  readonly shell: (typeof shell)['texts'];
  readonly usage: (typeof usage)['texts'];
  readonly webhooks: (typeof webhooks)['texts'];
}
