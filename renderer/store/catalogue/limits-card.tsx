import { NativeSelect, SimpleGrid, Text } from '@mantine/core';
import { mostStock } from '#contracts/store/store.ts';
import { Card } from '../../kit/design/card.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { TimeField } from '../../kit/records/time-field.tsx';
import { cooldownUnits, type FieldFault, type FieldsProps } from './product-draft.ts';
import { storeWords } from './store.words.ts';
import { typedNumber } from './typed-number.ts';

const whole = { min: 1, allowDecimal: false, allowNegative: false } as const;

export const LimitsCard = ({
  fields,
  onChange,
  fault,
}: FieldsProps & { readonly fault: FieldFault | null }) => {
  const words = useWords(storeWords);
  const halfError = fault === 'periodHalf' ? words.periodHalf : null;
  return (
    <Card title={words.limits}>
      <Text size="sm" c="dimmed">
        {words.limitsHelp}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <NumberInput
          label={words.stock}
          description={words.stockHelp}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={fields.stock}
          onChange={(typed) => onChange({ stock: typedNumber(typed) })}
          {...whole}
          min={0}
          max={mostStock}
        />
        <NumberInput
          label={words.perMember}
          value={fields.perMember}
          onChange={(typed) => onChange({ perMember: typedNumber(typed) })}
          {...whole}
          max={1_000_000}
        />
        <NumberInput
          label={words.perPeriod}
          value={fields.periodCount}
          onChange={(typed) => onChange({ periodCount: typedNumber(typed) })}
          error={halfError}
          {...whole}
          max={1_000_000}
        />
        <NumberInput
          label={words.periodDays}
          value={fields.periodDays}
          onChange={(typed) => onChange({ periodDays: typedNumber(typed) })}
          error={halfError !== null}
          {...whole}
          max={365}
        />
        <NumberInput
          label={words.cooldown}
          value={fields.cooldown}
          onChange={(typed) => onChange({ cooldown: typedNumber(typed) })}
          {...whole}
          max={Math.floor((366 * 86_400) / fields.cooldownUnit)}
        />
        <NativeSelect
          label={words.unit}
          value={String(fields.cooldownUnit)}
          onChange={({ currentTarget }) =>
            onChange({
              cooldownUnit:
                cooldownUnits.find((unit) => String(unit) === currentTarget.value) ?? fields.cooldownUnit,
            })
          }
          data={cooldownUnits.map((unit) => ({ value: String(unit), label: words.units[unit] }))}
        />
        <TimeField
          label={words.saleFrom}
          zone={fields.zone}
          value={fields.saleFrom}
          onChange={(typed) => onChange({ saleFrom: typed })}
        />
        <TimeField
          label={words.saleUntil}
          zone={fields.zone}
          value={fields.saleUntil}
          onChange={(typed) => onChange({ saleUntil: typed })}
          error={fault === 'saleOrder' ? words.saleOrder : null}
        />
      </SimpleGrid>
    </Card>
  );
};
