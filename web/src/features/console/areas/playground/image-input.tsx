/** One image of a request: dropped, chosen as a file, taken with the camera, or one of the site's samples. */
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { fill } from '../../../../fill';
import * as controls from '../../../demos/controls.module.css';
import { useConsole } from '../../state/context';
import { CameraDialog } from './camera-dialog';
import * as styles from './image-input.module.css';
import { type ChosenImage, type ImageFormat, NotShownError, readFile, readSample } from './images';

export interface SampleImage {
  readonly name: string;
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

interface ImageInputProps {
  label: string;
  image: ChosenImage | undefined;
  samples: readonly SampleImage[];
  formats: readonly ImageFormat[];
  /** @param image undefined while a newly chosen image is read, and if it cannot be read */
  onChoose(image: ChosenImage | undefined): void;
}

export function ImageInput({ label, image, samples, formats, onChoose }: ImageInputProps) {
  const { image: texts, samples: names } = useConsole().texts.playground;
  const [fault, setFault] = useState<string>();
  const [isOver, setOver] = useState(false);
  const [hasCamera, setCamera] = useState(false);

  const labels = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    formats.map((format) => format.label),
  );
  // Nobody may send, and pay for, an earlier image than the one that they chose last.
  const choices = useRef(0);
  const choose = async (name: string, read: () => Promise<ChosenImage>) => {
    choices.current += 1;
    const choice = choices.current;
    setFault(undefined);
    onChoose(undefined);
    try {
      const chosen = await read();
      if (choice === choices.current) onChoose(chosen);
    } catch (error) {
      if (choice !== choices.current) return;
      setFault(
        fill(error instanceof NotShownError ? texts.notShown : texts.unreadable, { name, formats: labels }),
      );
    }
  };
  const chooseFile = (file: File | undefined) => {
    if (file) void choose(file.name, () => readFile(file, formats));
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    chooseFile(event.dataTransfer.files[0]);
  };
  const dragOver = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <fieldset
      className={styles.input}
      data-over={isOver}
      onDragOver={dragOver}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <legend>{label}</legend>
      <div className={styles.preview}>
        {image ? <img src={image.dataUri} alt={texts.alt} /> : <p>{texts.empty}</p>}
      </div>
      {image && (
        <p className={styles.about}>
          {fill(texts.chosen, { name: image.name, width: image.width, height: image.height })}
          {!image.isFile && (
            <a href={image.dataUri} download={image.name}>
              {texts.save}
            </a>
          )}
        </p>
      )}
      <div className={styles.sources}>
        <label className={styles.file}>
          <input
            type="file"
            // Some systems know only the name of a format.
            accept={formats.flatMap(({ mediaType }) => [mediaType, mediaType.replace('image/', '.')]).join()}
            onChange={({ currentTarget }) => {
              chooseFile(currentTarget.files?.[0]);
              // The same file may be chosen once more.
              currentTarget.value = '';
            }}
          />
          <span>{texts.file}</span>
        </label>
        <Button variant="secondary" onClick={() => setCamera(true)}>
          {texts.camera}
        </Button>
      </div>
      <p className={styles.about}>{texts.samples}</p>
      <div className={styles.samples}>
        {samples.map((sample) => {
          const name = names.find((labeled) => labeled.name === sample.name)?.label ?? sample.name;
          return (
            <button
              key={sample.name}
              type="button"
              aria-label={name}
              className={controls.cover}
              onClick={() => void choose(name, () => readSample(sample))}
            >
              <img src={sample.src} width={sample.width} height={sample.height} alt="" />
            </button>
          );
        })}
      </div>
      <p role="alert" className={styles.error} hidden={fault === undefined}>
        {fault}
      </p>
      {hasCamera && (
        <CameraDialog
          onTaken={(taken) => {
            setCamera(false);
            void choose(taken.name, async () => taken);
          }}
          onClose={() => setCamera(false)}
        />
      )}
    </fieldset>
  );
}
