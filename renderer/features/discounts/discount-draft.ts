import { type Discount, type DiscountDraft, discountDraft } from '#contracts/discounts.ts';
import { asInstant, asLocal } from '../../records/range.ts';

type Typed = number | '';

/** A discount as it is typed: the fields of both kinds, so that a change of the kind loses nothing. */
export interface DiscountFields {
  readonly name: string;
  readonly kind: Discount['off']['kind'];
  readonly percent: Typed;
  readonly points: Typed;
  readonly productIds: readonly string[];
  readonly categories: readonly string[];
  readonly roleIds: readonly string[];
  /** Empty: it applies by itself. */
  readonly code: string;
  readonly mostUses: Typed;
  readonly mostPerMember: Typed;
  /** Local time, to the minute. */
  readonly validFrom: string;
  readonly validUntil: string;
  readonly isEnabled: boolean;
}

const newDiscount: DiscountFields = {
  name: '',
  kind: 'percent',
  percent: 10,
  points: '',
  productIds: [],
  categories: [],
  roleIds: [],
  code: '',
  mostUses: '',
  mostPerMember: '',
  validFrom: '',
  validUntil: '',
  isEnabled: true,
};

export const fieldsOf = (discount: Discount | null): DiscountFields =>
  discount
    ? {
        name: discount.name,
        kind: discount.off.kind,
        percent: discount.off.kind === 'percent' ? discount.off.percent : '',
        points: discount.off.kind === 'points' ? discount.off.points : '',
        productIds: discount.productIds,
        categories: discount.categories,
        roleIds: discount.roleIds,
        code: discount.code ?? '',
        mostUses: discount.mostUses ?? '',
        mostPerMember: discount.mostPerMember ?? '',
        validFrom: asLocal(discount.validFrom ?? undefined),
        validUntil: asLocal(discount.validUntil ?? undefined),
        isEnabled: discount.isEnabled,
      }
    : newDiscount;

/**
 * Null: something is missing or out of bounds.
 * @param before the saved discount: an untouched time keeps its seconds
 */
export const draftOf = (fields: DiscountFields, before: Discount | null): DiscountDraft | null => {
  const { name, kind, percent, points, code, mostUses, mostPerMember, isEnabled } = fields;
  const instant = (typed: string, saved: string | null | undefined) =>
    saved && asLocal(saved) === typed ? saved : (asInstant(typed) ?? null);
  const read = discountDraft.safeParse({
    name,
    off: kind === 'percent' ? { kind, percent } : { kind, points },
    productIds: fields.productIds,
    categories: fields.categories,
    roleIds: fields.roleIds,
    code: code.trim() === '' ? null : code,
    mostUses: mostUses === '' ? null : mostUses,
    mostPerMember: mostPerMember === '' ? null : mostPerMember,
    validFrom: instant(fields.validFrom, before?.validFrom),
    validUntil: instant(fields.validUntil, before?.validUntil),
    isEnabled,
  });
  return read.data ?? null;
};
