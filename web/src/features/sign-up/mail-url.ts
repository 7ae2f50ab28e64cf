/** Where the button of a plan leads that is agreed upon: to the draft of a mail. */
interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** RFC 6068: spaces are %20 and line breaks %0D%0A, unlike in the query of a page. */
export const mailUrl = ({ to, subject, body }: Mail): string =>
  `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replace(/\r?\n/g, '\r\n'))}`;
