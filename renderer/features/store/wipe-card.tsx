import { NumberInput, SimpleGrid, Switch, Text } from '@mantine/core';
import { Card } from '../../design/card.tsx';
import { useWords } from '../../language/use-words.ts';
import type { FieldsProps } from './product-draft.ts';
import { storeWords } from './store.words.ts';
import { typedNumber } from './typed-number.ts';

/** The effect of a new season on the product. */
export const WipeCard = ({ fields, onChange }: FieldsProps) => {
  const words = useWords(storeWords);
  return (
    <Card title={words.wipe}>
      <Text size="sm" c="dimmed">
        {words.wipeText}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Switch
          label={words.wipeRegrant}
          description={words.wipeRegrantHelp}
          checked={fields.onWipe === 'regrant'}
          onChange={({ currentTarget }) =>
            onChange({ onWipe: currentTarget.checked ? 'regrant' : 'nothing' })
          }
        />
        {fields.onWipe === 'regrant' && (
          <NumberInput
            label={words.wipeMost}
            description={words.wipeMostHelp}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={fields.regrantMost}
            onChange={(typed) => onChange({ regrantMost: typedNumber(typed) })}
            min={1}
            max={1000}
            allowDecimal={false}
            allowNegative={false}
          />
        )}
      </SimpleGrid>
    </Card>
  );
};
