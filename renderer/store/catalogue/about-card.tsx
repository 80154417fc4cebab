import { NativeSelect, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import { gameIds, games } from '#contracts/servers/games.ts';
import { longestShortCode, mostPoints } from '#contracts/store/store.ts';
import { Card } from '../../kit/design/card.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { type FieldsProps, linesForGame } from './product-draft.ts';
import { storeWords } from './store.words.ts';
import { typedNumber } from './typed-number.ts';

export const AboutCard = (
  props: FieldsProps & {
    readonly nameInput: RefObject<HTMLInputElement | null>;
    readonly isNew: boolean;
    /** Why the product was not saved. */
    readonly error: unknown;
  },
) => {
  const { fields, onChange, nameInput, isNew, error } = props;
  const errorOf = useFieldErrors(error);
  const words = useWords(storeWords);
  return (
    <Card title={words.about}>
      <TextInput
        ref={nameInput}
        label={words.name}
        value={fields.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        required
        maxLength={80}
        autoComplete="off"
        autoFocus={isNew}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NumberInput
          label={words.price}
          description={words.priceHelp}
          value={fields.price}
          onChange={(typed) => onChange({ price: typedNumber(typed) })}
          min={0}
          max={mostPoints}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=" "
          required
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <NativeSelect
          label={words.game}
          value={fields.game}
          onChange={({ currentTarget }) => {
            const game = gameIds.find((id) => id === currentTarget.value) ?? fields.game;
            onChange({ game, clusterIds: [], serverIds: [], lines: linesForGame(game, fields.lines) });
          }}
          data={gameIds.map((value) => ({ value, label: games[value].name }))}
        />
        <TextInput
          label={words.category}
          description={words.categoryHelp}
          value={fields.category}
          onChange={({ currentTarget }) => onChange({ category: currentTarget.value })}
          maxLength={80}
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
        <TextInput
          label={words.shortCode}
          description={words.shortCodeHelp}
          value={fields.shortCode}
          error={errorOf('shortCode')}
          onChange={({ currentTarget }) => onChange({ shortCode: currentTarget.value.toUpperCase() })}
          maxLength={longestShortCode}
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
        />
      </SimpleGrid>
      <Textarea
        label={words.descriptionField}
        value={fields.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        maxLength={2000}
        autosize
        minRows={2}
      />
      <Switch
        label={words.enabled}
        description={words.enabledHelp}
        checked={fields.isEnabled}
        onChange={({ currentTarget }) => onChange({ isEnabled: currentTarget.checked })}
      />
    </Card>
  );
};
