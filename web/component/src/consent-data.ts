import { section } from './alternative';
import { h } from './dom';
import { fill } from './fill';
import type { Session } from './machine';
import type { Plural, Texts } from './texts';

/** The controller, the data, its purpose and retention, and the right to refuse (GDPR, Art. 13). */
export function consentData(session: Session, texts: Texts, asker: string): HTMLElement {
  const { details, data, privacy } = texts.consent;
  const { controller } = session;
  const values = {
    ...controller,
    asker,
    responsible: controller?.name ?? asker,
    retention: retentionOf(texts, session.retentionSeconds),
    auditTime: countText(texts, texts.consent.retention.days, session.auditImageDays ?? 0),
  };
  const isOmitted: Record<string, boolean> = {
    controller: !controller,
    sender: controller !== undefined,
    comparison: !session.hasReference,
    images: Boolean(session.auditImageDays),
    review: !session.auditImageDays,
  };
  return section(
    details,
    h(
      'dl',
      { class: 'data' },
      ...data
        .filter(({ name }) => !isOmitted[name])
        .flatMap(({ name, title, text }) => [
          h('dt', {}, title),
          h(
            'dd',
            {},
            fill(text, values, texts.locale),
            name === 'controller' && controller && privacyLink(controller.privacyUrl, privacy),
          ),
        ]),
    ),
  );
}

/** Opens in a new tab, because leaving the page ends the check. */
const privacyLink = (href: string, text: string) =>
  h('a', { class: 'privacy', href, target: '_blank', rel: 'noopener noreferrer' }, text);

function retentionOf(texts: Texts, seconds: number): string {
  const { hours, minutes } = texts.consent.retention;
  const total = Math.ceil(seconds / 60);
  return total % 60 === 0 ? countText(texts, hours, total / 60) : countText(texts, minutes, total);
}

const countText = ({ locale }: Texts, forms: Plural, count: number): string =>
  fill(forms[new Intl.PluralRules(locale).select(count)] ?? forms.other, { count }, locale);
