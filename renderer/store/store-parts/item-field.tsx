import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { GameId } from '#contracts/servers/games.ts';
import { storeHttp } from '#contracts/store/store-http.ts';
import { useRead } from '../../kit/api/queries.ts';
import { OptionLines } from '../../kit/forms/option-lines.tsx';

const pauseMs = 250;
const mostShown = 20;

/** The items of a game that match what is typed, by id or name. */
export const useItems = (game: GameId, item: string) => {
  const [text] = useDebouncedValue(item.trim(), pauseMs);
  const { data } = useRead(storeHttp.items, { query: { game, text: text.slice(-100), limit: mostShown } });
  return { text, rows: data?.rows ?? [], isRead: data !== undefined };
};

/** An item of a game by its id, with the known ones to choose from. */
export const ItemField = ({
  items,
  ...field
}: Pick<AutocompleteProps, 'onFocus' | 'onBlur' | 'maxDropdownHeight'> & {
  readonly label: string;
  readonly description: string;
  readonly items: ReturnType<typeof useItems>['rows'];
  readonly value: string;
  readonly onChange: (item: string) => void;
}) => {
  const names = new Map(items.map(({ id, name }) => [id, name]));
  return (
    <Autocomplete
      {...field}
      data={items.map(({ id }) => id)}
      // The API has already filtered, by names too.
      filter={({ options }) => options}
      renderOption={({ option: { value } }) => (
        <OptionLines name={names.get(value) ?? value} note={<bdi>{value}</bdi>} />
      )}
      required
      maxLength={1000}
      spellCheck={false}
    />
  );
};
