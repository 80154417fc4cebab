import { ActionIcon, Button, Fieldset, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { mostPoints } from '#contracts/store.ts';
import { Card } from '../../design/card.tsx';
import { useWords } from '../../language/use-words.ts';
import { TimeField } from '../../records/time-field.tsx';
import { type FieldsProps, isBackwards, newPrice, type PriceFields } from './product-draft.ts';
import { storeWords } from './store.words.ts';
import { typedNumber } from './typed-number.ts';

const mostPrices = 100;

/** Prices for limited times; between them the usual price applies. */
export const ScheduleCard = ({ fields, onChange }: FieldsProps) => {
  const words = useWords(storeWords);
  const { prices } = fields;
  const put = (changed: PriceFields) =>
    onChange({ prices: prices.map((one) => (one.key === changed.key ? changed : one)) });
  return (
    <Card title={words.schedule}>
      <Text size="sm" c="dimmed">
        {words.scheduleHelp}
      </Text>
      <Stack gap="md">
        {prices.map((one, index) => (
          <Fieldset key={one.key} legend={words.scheduled(index + 1)} bg="transparent">
            <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
              <TimeField
                label={words.priceFrom}
                zone={fields.zone}
                value={one.from}
                onChange={(typed) => put({ ...one, from: typed })}
                required
              />
              <TimeField
                label={words.priceUntil}
                zone={fields.zone}
                value={one.until}
                onChange={(typed) => put({ ...one, until: typed })}
                error={isBackwards(one) ? words.priceOrder : null}
              />
              <NumberInput
                label={words.price}
                value={one.price}
                onChange={(typed) => put({ ...one, price: typedNumber(typed) })}
                min={0}
                max={mostPoints}
                allowDecimal={false}
                allowNegative={false}
                thousandSeparator=" "
                required
              />
            </SimpleGrid>
            <Group justify="flex-end" mt="sm">
              <ActionIcon
                variant="default"
                aria-label={words.removeScheduled(index + 1)}
                onClick={() => onChange({ prices: prices.filter(({ key }) => key !== one.key) })}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
          </Fieldset>
        ))}
        {prices.length < mostPrices && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => onChange({ prices: [...prices, newPrice()] })}
            >
              {words.addScheduled}
            </Button>
          </Group>
        )}
      </Stack>
    </Card>
  );
};
