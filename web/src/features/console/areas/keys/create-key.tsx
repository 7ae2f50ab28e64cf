import { useState } from 'react';
import { Dialog } from '../../parts/dialog';
import { Checks, Choice, Field, Form, type Values } from '../../parts/form';
import { useAction } from '../../use-call';
import { type MadeKey, type ProductId, useKeys } from './key-data';
import { MadeKeyDialog } from './made-key';

interface CreateKeyProps {
  onMade(): void;
  onClose(): void;
}

export function CreateKey({ onMade, onClose }: CreateKeyProps) {
  const { api, path, words } = useKeys();
  const { create, products } = words.keys;
  const all = Object.keys(products) as ProductId[];
  const [chosen, setChosen] = useState<readonly string[]>(all);
  const [made, setMade] = useState<MadeKey>();
  const save = useAction(async ({ name = '', mode, cidrs = '', lastDay }: Values) => {
    const addresses = cidrs.split(/[\s,]+/).filter((one) => one !== '');
    const body = {
      ...{ name, mode },
      ...(chosen.length < all.length && { products: chosen }),
      ...(addresses.length > 0 && { cidrs: addresses }),
      ...(lastDay && { expiresAt: endOfDay(lastDay) }),
    };
    setMade(await api.call<MadeKey>('POST', path, body));
    onMade();
  });
  if (made) return <MadeKeyDialog apiKey={made.apiKey} onClose={onClose} />;
  return (
    <Dialog title={create.title} onClose={onClose}>
      <Form action={create.action} on={save}>
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
