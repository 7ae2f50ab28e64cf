/** The address of a mail draft, for custom plans. */
interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly body: string;
}

/** RFC 6068 encodes spaces as %20 and line breaks as %0D%0A. */
export const mailUrl = ({ to, subject, body }: Mail): string =>
  `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replace(/\r?\n/g, '\r\n'))}`;
