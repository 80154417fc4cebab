import { ActionIcon, Button, Fieldset, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type * as z from 'zod';
import { games } from '#contracts/servers/games.ts';
import { mostPoints, type Product, type productDraft } from '#contracts/store/store.ts';
import { Card } from '../../kit/design/card.tsx';
import { designWords } from '../../kit/design/design.words.ts';
import { Facts } from '../../kit/design/facts.tsx';
import { Trouble } from '../../kit/design/trouble.tsx';
import { NumberInput } from '../../kit/forms/number-input.tsx';
import { useVersionedForm } from '../../kit/forms/use-versioned-form.ts';
import { FormConflict } from '../../kit/forms/versioned-dialog.tsx';
import { useWords } from '../../kit/language/use-words.ts';
import { TimeField } from '../../kit/records/time-field.tsx';
import { usePoints } from '../use-points.ts';
import { AboutCard } from './about-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { LinesCard } from './lines-card.tsx';
import {
  draftOf,
  type FieldsProps,
  faultIn,
  fieldsOf,
  isBackwards,
  isUntouched,
  newFields,
  newPrice,
  type PriceFields,
  type ProductFields,
} from './product-draft.ts';
import { keepEdit, newProduct } from './product-edits.ts';
import { ScopeCard } from './scope-card.tsx';
import { storeWords } from './store.words.ts';
import { typedNumber } from './typed-number.ts';

/** The effect of a new season on the product. */
const WipeCard = ({ fields, onChange }: FieldsProps) => {
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

const mostPrices = 100;

/** Prices for limited times; between them the usual price applies. */
const ScheduleCard = ({ fields, onChange }: FieldsProps) => {
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

/** The fields of a product. Nothing is saved before the button is pressed; unsaved text is kept. */
export const ProductEditor = (props: {
  /** Null for a new product. */
  readonly product: Product | null;
  readonly begun: ProductFields;
  /** The current product in the API. */
  readonly newest: Product | undefined;
  readonly version: number;
  /** @param base the product that the fields started from */
  readonly send: (
    draft: z.input<typeof productDraft>,
    version: number,
    base: Product | null,
  ) => Promise<Product>;
}) => {
  const { product, begun, newest, version, send } = props;
  const words = useWords(storeWords);
  const general = useWords(designWords);
  const { price } = usePoints();
  const nameInput = useRef<HTMLInputElement>(null);
  const [base, setBase] = useState(product);
  const [fields, setFields] = useState(begun);
  const form = useVersionedForm({
    version,
    newest,
    async send(over) {
      const saved = await send(draftOf(fields, base), over, base);
      setBase(saved);
      // Shows the saved product, unless more was typed since.
      setFields((now) => (now === fields ? fieldsOf(saved) : now));
      return saved;
    },
    show(taken) {
      setBase(taken);
      setFields(fieldsOf(taken));
      // The button disappears with the choice.
      nameInput.current?.focus();
    },
  });
  const { theirs } = form;
  const onChange = (changes: Partial<ProductFields>) => {
    setFields((now) => ({ ...now, ...changes }));
    form.clear();
  };
  const isChanged = !isUntouched(fields, base);
  const name = product?.id ?? newProduct;
  useEffect(
    () => keepEdit(name, isChanged ? { base, fields, version } : null),
    [name, isChanged, base, fields, version],
  );
  const discard = () => {
    form.clear();
    setFields(base ? fieldsOf(base) : newFields(fields.game));
    // The button disappears with the changes.
    nameInput.current?.focus();
  };
  const fault = faultIn(fields);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (theirs === null && fault === null && !form.isSaving) void form.save();
      }}
    >
      <Stack gap="md">
        <AboutCard
          fields={fields}
          onChange={onChange}
          nameInput={nameInput}
          isNew={base === null}
          error={form.error}
        />
        <LinesCard fields={fields} onChange={onChange} notes={newest?.notes ?? []} saved={base} />
        {fields.lines.every(({ kind }) => kind !== 'product') && (
          <ScopeCard fields={fields} onChange={onChange} />
        )}
        <ScheduleCard fields={fields} onChange={onChange} />
        <LimitsCard fields={fields} onChange={onChange} fault={fault} />
        <WipeCard fields={fields} onChange={onChange} />
        <FormConflict form={form} title={words.theirs}>
          {(taken) => (
            <Facts
              facts={[
                { label: words.name, value: <bdi>{taken.name}</bdi> },
                { label: words.price, value: price(taken.price) },
                { label: words.game, value: games[taken.game].name },
                { label: words.gives, value: words.theirsLines(taken.lines.length) },
              ]}
            />
          )}
        </FormConflict>
        {form.error !== null && <Trouble error={form.error} />}
        <Group justify="flex-end">
          {isChanged && theirs === null && (
            <>
              <Text size="sm" c="dimmed">
                {words.unsaved}
              </Text>
              <Button variant="subtle" color="gray" onClick={discard} disabled={form.isSaving}>
                {words.discard}
              </Button>
            </>
          )}
          <Button type="submit" loading={form.isSaving} disabled={theirs !== null || fault !== null}>
            {general.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
