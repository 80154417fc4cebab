import { NativeSelect, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { lastingUnits, newLasts } from './lasting-draft.ts';
import { lastsWords } from './lasts.words.ts';
import type { LastingFields } from './product-draft.ts';
import { storeWords } from './store.words.ts';
import { suggestKey } from './suggest-key.ts';
import { typedNumber } from './typed-number.ts';

/** How long a part is given for. */
export const LastsFieldsView = <Line extends LastingFields>({
  line,
  onChange,
}: {
  readonly line: Line;
  readonly onChange: (line: Line) => void;
}) => {
  const words = useWords(lastsWords);
  const { units } = useWords(storeWords);
  const { lasts } = line;
  const change = (changes: Partial<NonNullable<typeof lasts>>) =>
    lasts && onChange({ ...line, lasts: { ...lasts, ...changes } });
  return (
    <Stack gap="sm">
      <Switch
        label={words.on[line.kind]}
        description={words.help[line.kind]}
        checked={lasts !== null}
        onChange={({ currentTarget }) =>
          onChange({ ...line, lasts: currentTarget.checked ? newLasts(suggestKey(line)) : null })
        }
      />
      {lasts && (
        <>
          <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
            <NumberInput
              label={words.amount}
              value={lasts.amount}
              onChange={(typed) => change({ amount: typedNumber(typed) })}
              required
              min={1}
              max={Math.floor((3660 * 86_400) / lasts.unit)}
              allowDecimal={false}
              allowNegative={false}
            />
            <NativeSelect
              label={words.unit}
              value={String(lasts.unit)}
              onChange={({ currentTarget }) =>
                change({
                  unit: lastingUnits.find((unit) => String(unit) === currentTarget.value) ?? lasts.unit,
                })
              }
              data={lastingUnits.map((unit) => ({ value: String(unit), label: units[unit] }))}
            />
            <TextInput
              label={words.key}
              description={words.keyHelp}
              value={lasts.key}
              onChange={({ currentTarget }) => change({ key: currentTarget.value })}
              required
              maxLength={80}
              pattern="[a-z0-9][a-z0-9:._\-]*"
              title={words.keyShape}
              autoComplete="off"
              spellCheck={false}
            />
          </SimpleGrid>
          <Switch
            label={words.extends}
            description={words.extendsHelp}
            checked={lasts.extends}
            onChange={({ currentTarget }) => change({ extends: currentTarget.checked })}
          />
          {line.kind === 'command' && (
            <Textarea
              label={words.taken}
              description={words.takenHelp}
              value={lasts.taken}
              onChange={({ currentTarget }) => change({ taken: currentTarget.value })}
              autosize
              minRows={2}
              spellCheck={false}
            />
          )}
        </>
      )}
    </Stack>
  );
};
