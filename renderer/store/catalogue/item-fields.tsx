import { Button, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type GameId, games } from '#contracts/servers/games.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useChange } from '../../kit/api/queries.ts';
import { designWords } from '../../kit/design/design.words.ts';
import { FormDialog } from '../../kit/design/form-dialog.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { ItemField, useItems } from '../store-parts/item-field.tsx';
import type { ItemFields } from './product-draft.ts';
import { storeWords } from './store.words.ts';
import { typedNumber } from './typed-number.ts';

export const ItemFieldsView = (props: {
  readonly line: ItemFields;
  readonly game: GameId;
  readonly onChange: (line: ItemFields) => void;
}) => {
  const { line, game, onChange } = props;
  const words = useWords(storeWords);
  const [isNaming, setIsNaming] = useState(false);
  const [isTyping, setIsTyping] = useState(false);
  const { text, rows, isRead } = useItems(game, line.item);
  const known = rows.find(({ id }) => id === line.item.trim());
  // A text that still matches items is not called unknown.
  const isLooking = text !== line.item.trim() || !isRead || (isTyping && rows.length > 0);
  const isUnknown = text !== '' && !isLooking && !known;
  const change = (changes: Partial<ItemFields>) => onChange({ ...line, ...changes });
  return (
    <>
      <ItemField
        label={words.item}
        description={words.itemHelp}
        items={rows}
        value={line.item}
        onChange={(item) => change({ item })}
        onFocus={() => setIsTyping(true)}
        onBlur={() => setIsTyping(false)}
        maxDropdownHeight={280}
      />
      <Text size="sm" c={isUnknown ? 'var(--tone-warn)' : 'dimmed'} role="status">
        {known && (
          <>
            {words.itemKnown(known.name)}
            {known.isConfirmed && game.startsWith('ark-') && ` · ${words.itemConfirmed}`}
          </>
        )}
        {isUnknown && words.itemUnknown}
      </Text>
      {isUnknown && (
        <div>
          <Button size="compact-sm" variant="default" onClick={() => setIsNaming(true)}>
            {words.nameItem}
          </Button>
        </div>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NumberInput
          label={words.quantity}
          value={line.quantity}
          onChange={(typed) => change({ quantity: typedNumber(typed) })}
          min={1}
          max={100_000}
          allowDecimal={false}
          allowNegative={false}
          required
        />
        {games[game].hasQuality && (
          <NumberInput
            label={words.quality}
            placeholder={words.qualityHelp}
            value={line.quality}
            onChange={(typed) => change({ quality: typedNumber(typed) })}
            min={0}
            max={100}
            allowDecimal={false}
            allowNegative={false}
          />
        )}
      </SimpleGrid>
      {isNaming && <NameItem game={game} id={line.item.trim()} onClose={() => setIsNaming(false)} />}
    </>
  );
};

const NameItem = (props: { readonly game: GameId; readonly id: string; readonly onClose: () => void }) => {
  const { game, id, onClose } = props;
  const words = useWords(storeWords);
  const general = useWords(designWords);
  const [name, setName] = useState('');
  const add = useChange(storeHttp.addItem, [storeHttp.items, storeHttp.read]);
  return (
    <FormDialog
      title={words.nameItemTitle}
      act={general.save}
      isActing={add.isPending}
      error={add.error}
      onSubmit={() => add.mutate({ body: { game, id, name } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        <bdi>{id}</bdi>
      </Text>
      <TextInput
        label={words.itemName}
        description={words.nameItemText}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        required
        maxLength={80}
        data-autofocus
      />
    </FormDialog>
  );
};
