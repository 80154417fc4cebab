import { MultiSelect, Select, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { discordRolesHttp } from '#contracts/discord/discord-roles.ts';
import { type Discount, discountCode, discountsHttp } from '#contracts/store/discounts.ts';
import { mostPoints } from '#contracts/store/store.ts';
import { useChange, useRead } from '../../kit/api/queries.ts';
import { DraftDialog } from '../../kit/forms/draft-dialog.tsx';
import { useFieldErrors } from '../../kit/forms/field-errors.ts';
import { NumberField } from '../../kit/forms/number-field.tsx';
import { useDraftForm } from '../../kit/forms/use-draft-form.ts';
import { useWords } from '../../kit/language/use-words.ts';
import { TimeField } from '../../kit/records/time-field.tsx';
import { useProducts } from '../use-products.ts';
import { bodyOf, type DiscountFields, fieldsOf } from './discount-draft.ts';
import { discountsWords } from './discounts.words.ts';

export const DiscountDialog = (props: {
  /** Its state when the change began; null: a new one. */
  readonly begun: Discount | null;
  /** Its current state; undefined if another admin has removed it. */
  readonly newest: Discount | undefined;
  readonly readNewest: () => Promise<unknown>;
  readonly onClose: () => void;
}) => {
  const { begun, newest, readNewest, onClose } = props;
  const words = useWords(discountsWords);
  const create = useChange(discountsHttp.create, [discountsHttp.list]);
  const change = useChange(discountsHttp.change, [discountsHttp.list]);
  const form = useDraftForm({
    begun,
    newest,
    readNewest,
    draftOf: (discount: Discount | null) => fieldsOf(discount),
    bodyOf: (fields) => bodyOf(fields, newest ?? begun),
    send: (body, version) =>
      begun
        ? change.mutateAsync({ params: { id: begun.id }, body: { ...body, version } })
        : create.mutateAsync({ body }),
    savedText: words.saved,
    onClose,
  });
  const errorOf = useFieldErrors(form.error);
  return (
    <DraftDialog
      form={form}
      words={words}
      size="lg"
      note={begun ? words.fromNow : undefined}
      theirs={({ name }) => (
        <Text>
          <bdi>{name}</bdi>
        </Text>
      )}
      onClose={onClose}
    >
      <Fields fields={form.draft} codeError={errorOf('code')} onEdit={form.edit} />
    </DraftDialog>
  );
};

interface FieldsProps {
  readonly fields: DiscountFields;
  readonly onEdit: (edited: Partial<DiscountFields>) => void;
}

const below = ['label', 'input', 'description', 'error'] as const;

const Fields = (
  props: FieldsProps & {
    /** What the API refuses about the code. */
    readonly codeError: string | null;
  },
) => {
  const { fields, codeError, onEdit } = props;
  const words = useWords(discountsWords);
  const { validFrom, validUntil } = fields;
  const isBackwards = validFrom !== '' && validUntil !== '' && validUntil <= validFrom;
  return (
    <>
      <TextInput
        label={words.name}
        description={words.nameHelp}
        value={fields.name}
        onChange={({ currentTarget }) => onEdit({ name: currentTarget.value })}
        inputWrapperOrder={[...below]}
        maxLength={80}
        required
        autoComplete="off"
        data-autofocus
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Select
          label={words.kind}
          data={(['percent', 'points'] as const).map((value) => ({ value, label: words.kinds[value] }))}
          value={fields.kind}
          onChange={(kind) => onEdit({ kind: kind === 'points' ? 'points' : 'percent' })}
          allowDeselect={false}
        />
        {fields.kind === 'percent' ? (
          <NumberField
            label={words.percent}
            description={words.percentHelp}
            inputWrapperOrder={[...below]}
            value={fields.percent}
            onChange={(percent) => onEdit({ percent })}
            max={100}
            isRequired
          />
        ) : (
          <NumberField
            label={words.points}
            value={fields.points}
            onChange={(points) => onEdit({ points })}
            max={mostPoints}
            isRequired
          />
        )}
        <TextInput
          label={words.code}
          description={words.codeHelp}
          inputWrapperOrder={[...below]}
          value={fields.code}
          error={
            fields.code.trim() !== '' && !discountCode.safeParse(fields.code).success
              ? words.codeFault
              : codeError
          }
          onChange={({ currentTarget }) => onEdit({ code: currentTarget.value })}
          maxLength={24}
          autoComplete="off"
        />
        <RolesField fields={fields} onEdit={onEdit} />
        <ProductsFields fields={fields} onEdit={onEdit} />
        <NumberField
          label={words.mostUses}
          description={words.usesHelp}
          inputWrapperOrder={[...below]}
          value={fields.mostUses}
          onChange={(mostUses) => onEdit({ mostUses })}
          max={1_000_000_000}
        />
        <NumberField
          label={words.mostPerMember}
          value={fields.mostPerMember}
          onChange={(mostPerMember) => onEdit({ mostPerMember })}
          max={1_000_000_000}
        />
        <TimeField
          label={words.validFrom}
          zone={fields.zone}
          value={fields.validFrom}
          onChange={(typed) => onEdit({ validFrom: typed })}
        />
        <TimeField
          label={words.validUntil}
          error={isBackwards && words.backwards}
          zone={fields.zone}
          value={fields.validUntil}
          onChange={(typed) => onEdit({ validUntil: typed })}
        />
      </SimpleGrid>
      <Switch
        label={words.isEnabled}
        checked={fields.isEnabled}
        onChange={({ currentTarget }) => onEdit({ isEnabled: currentTarget.checked })}
      />
    </>
  );
};

/** The chosen one stays visible even if it is no longer offered. */
const optionsOf = (offered: readonly { id: string; name: string }[], chosen: readonly string[]) => [
  ...offered.map(({ id, name }) => ({ value: id, label: name })),
  ...chosen.filter((id) => !offered.some((one) => one.id === id)).map((id) => ({ value: id, label: id })),
];

const RolesField = ({ fields, onEdit }: FieldsProps) => {
  const words = useWords(discountsWords);
  const roles = (useRead(discordRolesHttp.roles, {}).data?.roles ?? [])
    .filter(({ obstacle }) => obstacle !== 'role-everyone')
    .map(({ id, name }) => ({ id, name: `@${name}` }));
  return (
    <MultiSelect
      label={words.roles}
      description={words.rolesHelp}
      inputWrapperOrder={[...below]}
      data={optionsOf(roles, fields.roleIds)}
      value={[...fields.roleIds]}
      onChange={(roleIds) => onEdit({ roleIds })}
      searchable
    />
  );
};

const ProductsFields = ({ fields, onEdit }: FieldsProps) => {
  const words = useWords(discountsWords);
  const { rows } = useProducts(false);
  const categories = [...new Set([...rows.map(({ category }) => category), ...fields.categories])];
  return (
    <>
      <MultiSelect
        label={words.products}
        description={words.productsHelp}
        inputWrapperOrder={[...below]}
        data={optionsOf(rows, fields.productIds)}
        value={[...fields.productIds]}
        onChange={(productIds) => onEdit({ productIds })}
        searchable
      />
      <MultiSelect
        label={words.categories}
        data={categories.filter((category) => category !== '').sort()}
        value={[...fields.categories]}
        onChange={(chosen) => onEdit({ categories: chosen })}
        searchable
      />
    </>
  );
};
