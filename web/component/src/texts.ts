/** The texts of the element in one language. A file of content/verify has the same shape. */
export interface NamedText {
  name: string;
  text: string;
}

interface Entry extends NamedText {
  title: string;
}

/** The forms of a text by plural category of the language (Unicode CLDR). */
export type Plural = { readonly [Category in Intl.LDMLPluralRule]?: string } & { other: string };

export interface Message {
  /** Name of the view, such as `retry.lighting`. */
  name: string;
  heading: string;
  text: string;
  action?: string;
  secondary?: string;
}

export interface Texts {
  /** BCP 47, such as `en`. */
  locale: string;
  /** `ltr` or `rtl`. */
  direction: string;
  checkBy: string;
  askedBy: string;
  askedBySomebody: string;
  sender: string;
  leave: string;
  consent: {
    heading: string;
    points: readonly { title: string; text: string }[];
    agreement: string;
    details: string;
    /** Facts that precede the consent, by topic. */
    data: readonly Entry[];
    privacy: string;
    /** Version of the consent text, which the gateway keeps with the consent. */
    notice: string;
    missing: string;
    action: string;
    retention: { hours: Plural; minutes: Plural; days: Plural };
  };
  /** A point of the consent before a light challenge. */
  light: { title: string; text: string };
  alternative: { heading: string; text: string; none: string; action: string };
  handover: Record<'action' | 'heading' | 'text' | 'code' | 'waiting' | 'checking' | 'back', string>;
  stillness: Record<'action' | 'heading' | 'text' | 'choose' | 'chosen' | 'back', string>;
  capture: { beginning: string; preview: string; progress: string; step: string; steady: string };
  movements: readonly NamedText[];
  /** The same for a device that moves around a still head. */
  deviceMovements: readonly NamedText[];
  guidance: readonly NamedText[];
  /** Tips for a person who does not get on, by guidance; absent from texts of a page that predate it. */
  help?: { heading: string; tips: readonly NamedText[] };
  trouble: readonly NamedText[];
  attempts: Plural;
  requestId: string;
  copy: { label: string; action: string; done: string };
  return: { action: string; stay: string; soon: string; close: string };
  /** Steps that allow a denied camera, by browser. */
  allowCamera: readonly { name: string; steps: readonly string[] }[];
  messages: readonly Message[];
}

export const textOf = (texts: readonly NamedText[], name: string) =>
  texts.find((entry) => entry.name === name)?.text ?? '';
