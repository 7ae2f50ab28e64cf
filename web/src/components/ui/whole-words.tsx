import * as styles from './whole-words.module.css';

/** A text whose hyphenated words, such as self-hosted, break at their hyphens only where they do not fit on a line. */
export const WholeWords = ({ text }: { text: string }) =>
  text.split(/(\S+-\S+)/).map((part, position) =>
    position % 2 === 0 ? (
      part
    ) : (
      <span key={part} className={styles.word}>
        {part}
      </span>
    ),
  );
