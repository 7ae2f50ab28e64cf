/** Marks <html> with data-input between a reader's first input on a page and the next page. base.css animates then. */

const INPUTS = ['pointerdown', 'keydown'];

export function watchInput(root: HTMLElement): void {
  const mark = () => {
    root.dataset.input = '';
  };
  for (const input of INPUTS) root.ownerDocument.addEventListener(input, mark, { passive: true });
}

export function arrive(root: HTMLElement): void {
  delete root.dataset.input;
}
