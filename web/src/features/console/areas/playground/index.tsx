/** Calls the API with an image of the person's choice, and shows result and request. */
import { useRef, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { errorAddress } from '../../parts/error-address';
import { Failure } from '../../parts/message';
import { Page } from '../../parts/page';
import { useAccount } from '../../state/context';
import { useAction } from '../../state/use-call';
import { ChoiceRow } from './choice-row';
import { ImageInput } from './image-input';
import type { ChosenImage } from './images';
import {
  attributes,
  categories,
  fieldsOf,
  type ImageField,
  imageFields,
  type Mode,
  modes,
  type OperationName,
  type Options,
  operationOf,
  operations,
  type Results,
  sampleNames,
} from './operations';
import { OptionsOf } from './options';
import * as styles from './playground.module.css';
import { RequestCode } from './request-code';
import { Result, type Run } from './result';
import { usePlaygroundData } from './use-playground-data';

export default function PlaygroundPage() {
  const { words: all, api, account } = useAccount();
  const words = all.playground;
  const { contractLimits, allDemoImage } = usePlaygroundData();
  const { similarityDefault, moderationConfidenceDefault } = contractLimits.thresholds;
  const [operation, setOperation] = useState<OperationName>(() => operationOf(location.search));
  const [mode, setMode] = useState<Mode>('test');
  const [chosen, setChosen] = useState<Partial<Record<ImageField, ChosenImage>>>({});
  const [options, setOptions] = useState<Options>({
    ...{ attributes, categories },
    similarityThreshold: similarityDefault,
    confidenceThreshold: moderationConfidenceDefault,
  });
  const [run, setRun] = useState<Run>();
  const [isMissing, setMissing] = useState(false);
  const runs = useRef(0);

  const fields = imageFields[operation];
  const images = fields.flatMap((field) => {
    const image = chosen[field];
    return image ? [[field, image] as const] : [];
  });
  const isComplete = images.length === fields.length;
  const asked = fieldsOf(operation, options);
  const samples = sampleNames[operation].flatMap((name) =>
    allDemoImage.nodes.filter((sample) => sample.name === name),
  );

  const start = useAction(async () => {
    setMissing(!isComplete);
    if (!isComplete) return;
    setRun(undefined);
    const body = { ...Object.fromEntries(images.map(([field, { dataUri }]) => [field, dataUri])) };
    const begin = performance.now();
    const data = await api.call<Results[OperationName]>(
      'POST',
      `/accounts/${account.accountId}/playground/${mode}/${operation}`,
      { ...body, ...Object.fromEntries(asked) },
    );
    const ms = Math.round(performance.now() - begin);
    runs.current += 1;
    setRun({
      ...{ id: runs.current, operation, mode, options, data, ms },
      images: images.map(([, image]) => image),
    });
  });
  const chooseOperation = (name: OperationName) => {
    setOperation(name);
    setRun(undefined);
    setMissing(false);
    start.clear();
  };
  const help = start.error && errorAddress(start.error.code);
  return (
    <Page title={words.title} lead={words.lead}>
      <div className={styles.choices}>
        <ChoiceRow
          label={words.operation.label}
          options={operations.map((value) => ({ value, label: words.operation[value] }))}
          chosen={operation}
          onChange={chooseOperation}
        />
        <div>
          <ChoiceRow
            label={words.mode.label}
            options={modes.map((value) => ({ value, label: words.mode[value] }))}
            chosen={mode}
            onChange={setMode}
          />
          <p className={styles.note} aria-live="polite">
            {mode === 'test' ? words.mode.testNote : words.mode.liveNote}
          </p>
        </div>
      </div>
      <div className={styles.inputs}>
        {fields.map((field) => (
          <ImageInput
            key={field}
            label={words.image[field]}
            image={chosen[field]}
            samples={samples}
            formats={contractLimits.image.formats}
            onChoose={(image) => {
              setChosen((before) => ({ ...before, [field]: image }));
              setMissing(false);
            }}
          />
        ))}
        <div className={styles.options}>
          <OptionsOf
            operation={operation}
            options={options}
            onChange={(change) => setOptions({ ...options, ...change })}
          />
        </div>
      </div>
      <div className={styles.run}>
        <Button onClick={() => void start.run()} aria-busy={start.isBusy || undefined}>
          {mode === 'live' ? words.runLive : words.run}
        </Button>
        <p role="alert" hidden={!isMissing}>
          {words.missing}
        </p>
      </div>
      <Failure error={start.error} />
      {help !== undefined && (
        <p>
          <a href={help}>{words.errorHelp}</a>
        </p>
      )}
      {run && <Result run={run} />}
      <RequestCode
        mode={mode}
        request={
          isComplete
            ? {
                ...{ apiUrl: api.url, operation, fields: asked },
                images: images.map(([field, { name }]) => [field, name] as const),
              }
            : undefined
        }
      />
    </Page>
  );
}
