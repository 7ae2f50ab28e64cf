import { graphql, useStaticQuery } from 'gatsby';
import type { Link } from '../../components/use-site';
import { COOKIE_DAYS, VALID_MONTHS } from './consent';

export interface CategoryWords {
  name: string;
  label: string;
  text: string;
  retention: string;
  items: { name: string; purpose: string; kept: string }[];
}

interface ConsentWords {
  banner: { label: string; text: string; policies: Link[]; acceptAll: string; preferences: string };
  dialog: Record<'heading' | 'lead' | 'close' | 'alwaysActive' | 'details' | 'confirm', string>;
  necessaryOnly: string;
  signal: string;
  categories: CategoryWords[];
}

/** All that the banner and the dialog say, with the times that the rules have. */
export function useConsentWords(): ConsentWords {
  const { contentConsent } = useStaticQuery<{ contentConsent: ConsentWords }>(graphql`
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
