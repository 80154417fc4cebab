import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import type { GameId } from '#contracts/games.ts';
import { useWords } from '../../language/use-words.ts';
import { useProducts } from '../../store-parts/use-products.ts';
import type { PartFields } from './product-draft.ts';
import { storeWords } from './store.words.ts';
import { typedNumber } from './typed-number.ts';

export interface PartFieldsProps {
  readonly line: PartFields;
  readonly game: GameId;
  /** The bundle itself; null: it is new. */
  readonly ownId: string | null;
  readonly onChange: (line: PartFields) => void;
}

/** A product in a bundle: one for the same game that is not a bundle itself. */
export const PartFieldsView = ({ line, game, ownId, onChange }: PartFieldsProps) => {
  const words = useWords(storeWords);
  const { rows } = useProducts(false);
  const offered = rows.filter(
    (product) =>
      product.game === game && product.id !== ownId && product.lines.every(({ kind }) => kind !== 'product'),
  );
  const isOffered = offered.some(({ id }) => id === line.productId);
  const chosen = line.productId !== '' && !isOffered ? [{ id: line.productId, name: line.productId }] : [];
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      <Select
        label={words.part}
        description={words.partHelp}
        data={[...chosen, ...offered].map(({ id, name }) => ({ value: id, label: name }))}
        value={line.productId === '' ? null : line.productId}
        onChange={(productId) => productId !== null && onChange({ ...line, productId })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        searchable
        required
        allowDeselect={false}
        openOnFocus={false}
      />
      <NumberInput
        label={words.quantity}
        value={line.quantity}
        onChange={(typed) => onChange({ ...line, quantity: typedNumber(typed) })}
        min={1}
        max={1000}
        allowDecimal={false}
        allowNegative={false}
        required
      />
    </SimpleGrid>
  );
};
