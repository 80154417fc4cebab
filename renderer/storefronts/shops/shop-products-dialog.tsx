import { ActionIcon, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import {
  mostShopProducts,
  mostShopQuantity,
  type Shop,
  shopProduct,
  shopsHttp,
} from '#contracts/storefronts/shops.ts';
import { useCan } from '../../kit/access/access-state.ts';
import { useChange } from '../../kit/api/queries.ts';
import { AddButton } from '../../kit/design/add-button.tsx';
import { notifyDone } from '../../kit/design/notify.ts';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { VersionedDialog } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { useProducts } from '../../store/use-products.ts';
import { shopsWords } from './shops.words.ts';

interface Entry {
  /** The key of the row, only for React. */
  readonly number: number;
  readonly key: string;
  /** `nothing`: nothing in a game; null: not chosen yet. */
  readonly product: string | null;
  readonly quantity: number | string;
}

/** No product of the store has this id. */
const nothing = 'nothing';

const entriesOf = ({ products }: Shop): readonly Entry[] =>
  products.map(({ key, productId, quantity }, index) => ({
    number: index,
    key,
    product: productId ?? nothing,
    quantity,
  }));

/** With one more entry for each of these products of the shop, to be completed. */
const withEntries = (entries: readonly Entry[], keys: readonly string[]): readonly Entry[] => {
  const next = Math.max(-1, ...entries.map(({ number }) => number)) + 1;
  return [
    ...entries,
    ...keys.map((key, index) => ({ number: next + index, key, product: null, quantity: 1 })),
  ];
};

const bodyOf = ({ key, product, quantity }: Entry) => ({
  key,
  productId: product === nothing ? null : product,
  quantity,
});

/** Assigns the products of a shop to products of the store. */
export const ShopProductsDialog = (props: {
  readonly begun: Shop;
  readonly newest: Shop;
  /** Products of the shop that an order waits for: one entry each, to be completed. */
  readonly missing?: readonly string[] | undefined;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { begun, newest, missing = [], readNewest, onClose } = props;
  const words = useWords(shopsWords);
  const [entries, setEntries] = useState(() => withEntries(entriesOf(begun), missing));
  const change = useChange(shopsHttp.setProducts, [shopsHttp.list, shopsHttp.orders]);
  const parsed = entries.flatMap((entry) =>
    entry.product === null ? [] : (shopProduct.safeParse(bodyOf(entry)).data ?? []),
  );
  const form = useVersionedForm({
    version: begun.version,
    newest,
    readNewest,
    async send(over) {
      const saved = await change.mutateAsync({
        params: { id: begun.id },
        body: { version: over, products: parsed },
      });
      notifyDone(words.saved);
      onClose();
      return saved;
    },
    show: (theirs) => setEntries(entriesOf(theirs)),
  });
  const set = (changed: readonly Entry[]) => {
    form.clear();
    setEntries(changed);
  };
  return (
    <VersionedDialog
      form={form}
      title={words.productsTitle(begun.name)}
      size="lg"
      act={words.save}
      isReady={parsed.length === entries.length}
      conflictTitle={words.theirs}
      theirs={({ products }) => words.products(products.length)}
      onClose={onClose}
    >
      <Text>{words.productsText}</Text>
      <Text size="sm" c="dimmed">
        {words.key}: {words.keyHints[begun.kind]}.
      </Text>
      <Stack gap="xs">
        {entries.map((entry, index) => (
          <EntryFields
            key={entry.number}
            entry={entry}
            place={index + 1}
            names={new Map(newest.products.map(({ productId, productName }) => [productId, productName]))}
            onChange={(edited) => set(entries.map((one) => (one === entry ? { ...one, ...edited } : one)))}
            onRemove={() => set(entries.filter((one) => one !== entry))}
          />
        ))}
      </Stack>
      <Group>
        <AddButton
          variant="default"
          disabled={entries.length >= mostShopProducts}
          onClick={() => set(withEntries(entries, ['']))}
        >
          {words.addRow}
        </AddButton>
      </Group>
    </VersionedDialog>
  );
};

const EntryFields = (props: {
  readonly entry: Entry;
  readonly place: number;
  /** The names of products that are assigned already: they may be archived, or hidden from the reader. */
  readonly names: ReadonlyMap<string | null, string | null>;
  readonly onChange: (edited: Partial<Entry>) => void;
  readonly onRemove: () => void;
}) => {
  const { entry, place, names, onChange, onRemove } = props;
  const words = useWords(shopsWords);
  const labelId = useId();
  const { rows } = useProducts(false, { enabled: useCan()('store.read') });
  const { key, product, quantity } = entry;
  const options = [
    { value: nothing, label: words.nothing },
    ...rows.map(({ id, name }) => ({ value: id, label: name })),
  ];
  if (product !== null && !options.some(({ value }) => value === product))
    options.push({ value: product, label: names.get(product) ?? product });
  return (
    <Group gap="xs" align="flex-end" role="group" aria-labelledby={labelId}>
      <span id={labelId} hidden>
        {words.row(place)}
      </span>
      <TextInput
        label={words.key}
        value={key}
        onChange={({ currentTarget }) => onChange({ key: currentTarget.value })}
        maxLength={200}
        flex="1 1 11.5rem"
        data-autofocus
      />
      <Select
        label={words.product}
        data={options}
        value={product}
        onChange={(chosen) => onChange({ product: chosen })}
        searchable
        flex="2 1 8rem"
      />
      <NumberInput
        label={words.quantity}
        value={quantity}
        onChange={(typed) => onChange({ quantity: typed })}
        min={1}
        max={mostShopQuantity}
        allowDecimal={false}
        allowNegative={false}
        w="5rem"
      />
      <ActionIcon variant="default" size="lg" aria-label={words.removeRow(place)} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
};
