/** Calls the API with an image of the person's choice, and shows result and request. */
import type { KeyMode, paths } from '@presenza/contract/console/types.d.ts';
import { useId, useRef, useState } from 'react';
import { Button } from '../../../../components/ui/button';
import { errorAddress } from '../../parts/error-address';
import { Failure } from '../../parts/message';
import { Page } from '../../parts/page';
import { dataOf, type Reply } from '../../state/api';
import { useAccount } from '../../state/context';
import { useAction, useReload } from '../../state/queries';
import { ChoiceRow } from './choice-row';
import { ImageInput } from './image-input';
import type { ChosenImage } from './images';
import {
  attributes,
  categories,
  fieldsOf,
  type ImageField,
  imageFields,
  modes,
  type OperationName,
  type Options,
  operationOf,
  operations,
  type Results,
  sampleNames,
} from './operations';
import { OperationOptions } from './options';
import * as styles from './playground.module.css';
import { RequestCode } from './request-code';
import { Result, type Run } from './result';
import { RunPrice } from './run-price';
import { usePlaygroundData } from './use-playground-data';

export default function PlaygroundPage() {
  const { texts: all, api, apiUrl, account } = useAccount();
  const texts = all.playground;
  const { contractLimits, allDemoImage } = usePlaygroundData();
  const { similarityDefault, moderationConfidenceDefault } = contractLimits.thresholds;
  const [operation, setOperation] = useState<OperationName>(() => operationOf(location.search));
  const [mode, setMode] = useState<KeyMode>('test');
  const [chosen, setChosen] = useState<Partial<Record<ImageField, ChosenImage>>>({});
  const [options, setOptions] = useState<Options>({
    attributes,
    categories,
    similarityThreshold: similarityDefault,
    confidenceThreshold: moderationConfidenceDefault,
  });
  const [run, setRun] = useState<Run>();
  const [isMissing, setMissing] = useState(false);
  const runs = useRef(0);
  const priceId = useId();
  const reload = useReload();

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
    runs.current += 1;
    const id = runs.current;
    const sent = images.map(([field, { dataUri }]) => [field, dataUri] as const);
    const begin = performance.now();
    const post = api.POST as (path: keyof paths, init: object) => Promise<Reply<Results[OperationName]>>;
    const data = await dataOf(
      post(`/accounts/{account}/playground/{mode}/${operation}`, {
        params: { path: { account: account.accountId, mode } },
        body: Object.fromEntries([...sent, ...asked]),
      }),
    );
    const ms = Math.round(performance.now() - begin);
    if (mode === 'live') reload('/accounts/{account}/usage');
    // The person chose another operation meanwhile.
    if (id !== runs.current) return;
    setRun({
      id,
      operation,
      mode,
      options,
      data,
      ms,
      images: images.map(([, image]) => image),
    });
  });
  const chooseOperation = (name: OperationName) => {
    setOperation(name);
    setRun(undefined);
    setMissing(false);
    runs.current += 1;
    // A call that is still running keeps the button busy, because no other may start before it ends.
    if (!start.isPending) start.reset();
  };
  const help = start.error ? errorAddress(start.error.code) : undefined;
  return (
    <Page title={texts.title} lead={texts.lead}>
      <div className={styles.choices}>
        <ChoiceRow
          label={texts.operation.label}
          options={operations.map((value) => ({ value, label: texts.operation[value] }))}
          chosen={operation}
          onChange={chooseOperation}
        />
        <div>
          <ChoiceRow
            label={texts.mode.label}
            options={modes.map((value) => ({ value, label: texts.mode[value] }))}
            chosen={mode}
            onChange={setMode}
          />
          <p className={styles.note} aria-live="polite">
            {mode === 'test' ? texts.mode.testNote : texts.mode.liveNote}
          </p>
        </div>
      </div>
      <div className={styles.inputs}>
        {fields.map((field) => (
          <ImageInput
            key={field}
            label={texts.image[field]}
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
          <OperationOptions
            operation={operation}
            options={options}
            onChange={(change) => setOptions({ ...options, ...change })}
          />
        </div>
      </div>
      <div className={styles.run}>
        <Button
          onClick={() => start.run()}
          aria-busy={start.isPending || undefined}
          aria-describedby={priceId}
        >
          {mode === 'live' ? texts.runLive : texts.run}
        </Button>
        <RunPrice id={priceId} mode={mode} />
      </div>
      <p role="alert" className={styles.missing} hidden={!isMissing}>
        {texts.missing}
      </p>
      <Failure error={start.error} />
      {help !== undefined && (
        <p>
          <a href={help}>{texts.errorHelp}</a>
        </p>
      )}
      {run && <Result run={run} />}
      <RequestCode
        mode={mode}
        request={
          isComplete
            ? {
                apiUrl,
                operation,
                fields: asked,
                images: images.map(([field, { name }]) => [field, name] as const),
              }
            : undefined
        }
      />
    </Page>
  );
}
