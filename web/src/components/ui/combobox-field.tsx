import type { ComponentProps, KeyboardEvent } from 'react';

interface ComboboxFieldProps
  extends Pick<ComponentProps<'input'>, 'ref' | 'type' | 'className' | 'maxLength'> {
  label: string;
  text: string;
  /** Id of the listbox. The id of each option is this one with its position: `list-0`. */
  list: string;
  /** The number of options. */
  count: number;
  /** The position of the selected option. */
  active: number;
  onText(text: string): void;
  onActive(position: number): void;
  onChoose(position: number): void;
}

/**
 * The field of a combobox, above its listbox (ARIA Authoring Practices, "Combobox Pattern"). The focus stays in the field:
 * the arrow keys select an option, and Enter chooses it.
 */
export function ComboboxField({
  label,
  text,
  list,
  count,
  active,
  onText,
  onActive,
  onChoose,
  ...input
}: ComboboxFieldProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of an input method choose among its suggestions.
    if (count === 0 || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) onChoose(active);
    else onActive((active + step + count) % count);
  };
  return (
    <input
      {...input}
      role="combobox"
      aria-label={label}
      placeholder={label}
      aria-expanded={count > 0}
      aria-controls={count > 0 ? list : undefined}
      aria-activedescendant={count > 0 ? `${list}-${active}` : undefined}
      aria-autocomplete="list"
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => {
        onText(currentTarget.value);
        onActive(0);
      }}
      onKeyDown={onKeyDown}
    />
  );
}
