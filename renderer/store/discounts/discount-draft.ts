import { type Discount, type DiscountDraft, discountDraft } from '#contracts/store/discounts.ts';
import { asInstant, asLocal, draftTimeZone } from '../../kit/records/range.ts';

type Typed = number | '';

/** The discount as typed: the fields of both kinds, so that changing the kind loses nothing. */
export interface DiscountFields {
  readonly name: string;
  readonly kind: Discount['off']['kind'];
  readonly percent: Typed;
  readonly points: Typed;
  readonly productIds: readonly string[];
  readonly categories: readonly string[];
  readonly roleIds: readonly string[];
  /** Empty: it applies automatically. */
  readonly code: string;
  readonly mostUses: Typed;
  readonly mostPerMember: Typed;
  /** An IANA name; the typed times are in this zone. */
  readonly zone: string;
  /** Local time, to the minute. */
  readonly validFrom: string;
  readonly validUntil: string;
  readonly isEnabled: boolean;
}

const newDiscount: Omit<DiscountFields, 'zone'> = {
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

export const fieldsOf = (discount: Discount | null, zone = draftTimeZone()): DiscountFields =>
  discount
    ? {
        zone,
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
        validFrom: asLocal(discount.validFrom ?? undefined, zone),
        validUntil: asLocal(discount.validUntil ?? undefined, zone),
        isEnabled: discount.isEnabled,
      }
    : { ...newDiscount, zone };

/**
 * Null: something is missing or out of bounds.
 * @param before the saved discount: an untouched time keeps its seconds
 */
export const bodyOf = (fields: DiscountFields, before: Discount | null): DiscountDraft | null => {
  const { name, kind, percent, points, code, mostUses, mostPerMember, isEnabled, zone } = fields;
  const instant = (typed: string, saved: string | null | undefined) =>
    saved && asLocal(saved, zone) === typed ? saved : (asInstant(typed, zone) ?? null);
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
  } satisfies Record<keyof DiscountDraft, unknown>);
  return read.data ?? null;
};
