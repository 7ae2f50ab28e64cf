import type { CreatedKey, KeyMode, ProductId } from '@presenza/contract/console/types.d.ts';
import { useState } from 'react';
import { Dialog } from '../../parts/dialog';
import { Checks, Choice, Field, Form } from '../../parts/form';
import { dataOf } from '../../state/api';
import { useReload } from '../../state/queries';
import { useKeys } from './key-data';
import { MadeKeyDialog } from './made-key';

/** The text of each field. */
interface Values {
  readonly name: string;
  readonly mode: KeyMode;
  readonly cidrs: string;
  readonly lastDay: string;
}

export function CreateKey({ onClose }: { onClose(): void }) {
  const { api, account, texts } = useKeys();
  const reload = useReload();
  const { create, products } = texts.keys;
  const all = Object.keys(products) as ProductId[];
  const [chosen, setChosen] = useState(all);
  const [made, setMade] = useState<CreatedKey>();
  const save = async ({ name, mode, cidrs, lastDay }: Values) => {
    const addresses = cidrs.split(/[\s,]+/).filter((address) => address !== '');
    const body = {
      name,
      mode,
      ...(chosen.length < all.length && { products: chosen }),
      ...(addresses.length > 0 && { cidrs: addresses }),
      ...(lastDay && { expiresAt: endOfDay(lastDay) }),
    };
    setMade(await dataOf(api.POST('/accounts/{account}/keys', { params: { path: { account } }, body })));
    reload('/accounts/{account}/keys');
  };
  if (made) return <MadeKeyDialog apiKey={made.apiKey} onClose={onClose} />;
  return (
    <Dialog title={create.title} onClose={onClose}>
      <Form action={create.action} onSubmit={save}>
        <Field
          name="name"
          label={create.name}
          hint={create.nameHint}
          required
          maxLength={64}
          autoComplete="off"
        />
        <Choice
          name="mode"
          label={create.mode}
          options={(['test', 'live'] as const).map((value) => ({ value, label: create.modes[value] }))}
        />
        <Checks
          label={create.products}
          name="product"
          options={all.map((value) => ({ value, label: products[value] }))}
          chosen={chosen}
          onChange={setChosen}
        />
        <Field
          name="cidrs"
          label={create.cidrs}
          hint={create.cidrsHint}
          maxLength={2_000}
          autoComplete="off"
        />
        <Field name="lastDay" type="date" label={create.expires} hint={create.expiresHint} min={tomorrow()} />
      </Form>
    </Dialog>
  );
}

/** @param day such as 2026-11-30, in the zone of the reader */
const endOfDay = (day: string) => new Date(`${day}T23:59:59`).toISOString();

function tomorrow(): string {
  const day = new Date();
  day.setDate(day.getDate() + 1);
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

const two = (count: number) => String(count).padStart(2, '0');
