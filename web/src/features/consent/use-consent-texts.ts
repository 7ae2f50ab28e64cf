import { graphql, useStaticQuery } from 'gatsby';
import { COOKIE_DAYS, VALID_MONTHS } from '../../consent/consent';

export type CategoryTexts = ReturnType<typeof useConsentTexts>['categories'][number];

/** The texts of banner and dialog, with the durations of the rules. */
export function useConsentTexts() {
  const { contentConsent } = useStaticQuery<QueryData<Queries.ConsentQuery>>(graphql`
    query Consent {
      contentConsent {
        banner { label text policies { label to } acceptAll preferences }
        dialog { heading lead close alwaysActive details confirm }
        necessaryOnly signal
        categories { name label text retention items { name purpose kept } }
      }
    }
  `);
  const { dialog, categories } = contentConsent;
  return {
    ...contentConsent,
    dialog: { ...dialog, lead: fillTimes(dialog.lead) },
    categories: categories.map((category) => ({
      ...category,
      retention: fillTimes(category.retention),
      items: category.items.map((item) => ({ ...item, kept: fillTimes(item.kept) })),
    })),
  };
}

const fillTimes = (text: string) =>
  text.replace('{months}', String(VALID_MONTHS)).replace('{days}', String(COOKIE_DAYS));
