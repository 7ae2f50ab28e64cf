/** The choice of one of the images of a demo. */
import { useId } from 'react';
import * as controls from './controls.module.css';

interface ImageChoiceProps {
  texts: { choose: string; images: readonly { name: string; label: string }[] };
  images: readonly { name: string }[];
  chosen: number;
  ready: boolean;
  onChoose: (index: number) => void;
}

export function ImageChoice({ texts, images, chosen, ready, onChoose }: ImageChoiceProps) {
  const group = useId();
  return (
    <fieldset className={controls.row} disabled={!ready}>
      <legend>{texts.choose}</legend>
      {images.map(({ name }, index) => (
        <label key={name} className={controls.option}>
          <input type="radio" name={group} checked={index === chosen} onChange={() => onChoose(index)} />
          {texts.images.find((image) => image.name === name)?.label}
        </label>
      ))}
    </fieldset>
  );
}
